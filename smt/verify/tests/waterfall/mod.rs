mod induction;
mod lanes;
mod partition;
mod runs;
mod scan;
mod search;
mod shuffle;
mod theorems;
