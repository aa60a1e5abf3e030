mod lanes;
mod partition;
mod runs;
mod scan;
mod shuffle;
