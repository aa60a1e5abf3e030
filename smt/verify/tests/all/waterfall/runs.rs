//! The same designs, run: a broken inductive step is a state that nothing may reach, so each
//! planted fault is shown in a real run too, over all values and active sets of four lanes.

use super::partition::{Agreement, Design, Handed, RIGHT};

const SIZE: usize = 4;
/// Two numbers and a NaN are enough for two classes and a lane that agrees with no other.
const VALUES: [f32; 3] = [1.0, 2.0, f32::NAN];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    right: u32,
    wrong: u32,
    forever: u32,
}

/// The answers, or `None` where an iteration changes nothing.
fn run(design: Design, value: [f32; SIZE], active: u32) -> Option<[u32; SIZE]> {
    let lanes = |set: u32| (0..SIZE).filter(move |lane| set >> lane & 1 != 0);
    let mut answer = [0; SIZE];
    let stale = value[active.trailing_zeros() as usize];
    let mut live = active;
    while live != 0 {
        let first = live.trailing_zeros() as usize;
        let mut next = live;
        for lane in lanes(live) {
            let leader = match design.handed {
                Handed::Scattered if lane % 2 == 1 => live.ilog2() as usize,
                _ => first,
            };
            let handed = if design.handed == Handed::Stale { stale } else { value[leader] };
            let over = if design.ballot_is_live { live } else { active };
            let ballot = lanes(over)
                .filter(|&other| agree(design, handed, value[other], leader == other))
                .fold(0, |ballot, other| ballot | 1 << other);
            if ballot >> lane & 1 != 0 && (design.all_leave || lane == first) {
                answer[lane] = ballot;
                next &= !(1 << lane);
            }
        }
        if next == live {
            return None;
        }
        live = next;
    }
    Some(answer)
}

fn agree(design: Design, a: f32, b: f32, myself: bool) -> bool {
    match design.agreement {
        Agreement::Bits => a.to_bits() == b.to_bits(),
        Agreement::Float => a == b,
        Agreement::FloatOrMyself => a == b || myself,
    }
}

/// Every run there is.
fn tally(design: Design) -> Tally {
    let mut tally = Tally::default();
    for code in 0..VALUES.len().pow(SIZE as u32) {
        let value: [f32; SIZE] =
            std::array::from_fn(|lane| VALUES[code / VALUES.len().pow(lane as u32) % VALUES.len()]);
        for active in 1..1_u32 << SIZE {
            let right = |(lane, &answer): (usize, &u32)| {
                let mates = (0..SIZE)
                    .filter(|&other| active >> other & 1 != 0)
                    .filter(|&other| agree(design, value[lane], value[other], lane == other))
                    .fold(0, |mates, other| mates | 1 << other);
                active >> lane & 1 == 0 || answer == mates
            };
            match run(design, value, active) {
                None => tally.forever += 1,
                Some(answers) if answers.iter().enumerate().all(right) => tally.right += 1,
                Some(_) => tally.wrong += 1,
            }
        }
    }
    tally
}

#[test]
fn what_is_proved_runs_right_and_every_planted_fault_runs_wrong() {
    let all = 81 * 15;
    let right = Tally { right: all, ..Tally::default() };
    assert_eq!(tally(RIGHT), right);
    assert_eq!(tally(Design { ballot_is_live: false, ..RIGHT }), right);
    assert_eq!(tally(Design { agreement: Agreement::FloatOrMyself, ..RIGHT }), right);

    let stale = tally(Design { handed: Handed::Stale, ..RIGHT });
    assert!(stale.forever > 0 && stale.wrong == 0, "{stale:?}");
    let nan = tally(Design { agreement: Agreement::Float, ..RIGHT });
    assert!(nan.forever > 0 && nan.wrong == 0, "{nan:?}");
    let short = tally(Design { all_leave: false, ..RIGHT });
    assert!(short.wrong > 0 && short.forever == 0, "{short:?}");
    let scattered = tally(Design { handed: Handed::Scattered, ..RIGHT });
    assert!(scattered.wrong > 0, "{scattered:?}");
}
