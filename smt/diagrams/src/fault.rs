//! Planted faults: axioms that do not hold, to test that the judge of the answers finds them.

/// An axiom that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BrokenLaw {
    /// A condition of several parts holds where two values are the same.
    SomePartIsEqual,
    /// What holds the extreme so far holds that of all.
    RecordIsLast,
    /// A lane that begins a class is in none.
    ClassWithoutBegin,
    /// What is equal in one case is so in the other.
    EqualElsewhere,
    /// What is compared is of interest where it is not.
    WithinOthers,
    /// A complement is the opposite number.
    ComplementIsOpposite,
    /// What is left open is fixed as bits are.
    OpenIsFixed,
    /// A value that is one for all lanes is zero.
    ValueIsZero,
    /// Of chosen values only those that are extremes are limited.
    OthersNotLimited,
    /// A number that is not below zero is no zero.
    LimitMayBeZero,
    /// What takes part twice in an exclusive or takes part.
    TwiceInXor,
    /// The high bits of a sum are the sum of the high bits.
    HighBitsOfSum,
    /// The complement of a conjunction is the conjunction of the complements.
    OperatorNotExchanged,
    /// Where nothing takes part, a reduction is neutral, whatever stands there.
    NothingChosen,
    /// Sums of different parts differ.
    DifferentSumsDiffer,
    /// Orders with a sign and without one agree.
    SignForgotten,
    /// Exponents wrap with their operands.
    ExponentWraps,
    /// Entries of a table are added where it has none.
    TableWithoutPlace,
    /// What has one value in some states has it in all.
    FixedSomewhere,
    /// Each bit that is set is the first one.
    EachIsFirst,
    /// What is more than a place is that place.
    PlaceNotMoved,
    /// Of two places in two cases each may be in both.
    PlaceOfEitherCase,
    /// High bits of a product are those of the factors' high bits.
    HighBitsOfProduct,
    /// Of two values each is less than the other, or neither.
    OrderNotTurned,
    /// What lanes add up to never wraps.
    SumOfLanesNeverWraps,
    /// What lanes add is never negative.
    TotalWithoutSign,
    /// Where a variable is true the states are those in which it is false.
    CareOfOneSide,
    /// What a payload is known to be in some states it is in all.
    SameEverywhere,
    /// A flip of the sign keeps each order.
    OrderKept,
    /// Any bits of the greatest are the greatest of these bits.
    AnyBitsInOrder,
    /// The low part of the greatest is the greatest low part.
    LowAlone,
    /// `a + b` is `(a ^ b) + (a & b)`.
    CarriesCountOnce,
    /// Bits that are fixed have the variables of other questions.
    FixedElsewhere,
    /// A condition that holds in some state holds in all.
    DecidedSomewhere,
    /// A choice of a part and of other values is that part in every state.
    PartOfOthers,
    /// Of the same parts with different numbers beside them is the same value.
    SamePartsAlone,
    /// The low part of a number that is no neutral one does not count.
    RestNotBeside,
    /// The greatest is less where some value is.
    SomeForAll,
    /// Sums of low parts do not carry.
    CarryForgotten,
    /// Sums of few bits are sums of many.
    SumNeverWraps,
    /// Of a sum that is multiplied, what has no payload is not.
    RestNotMultiplied,
    /// A factor that does not take part makes a product 0.
    NoChoiceLost,
    /// A multiple of a factor is that factor.
    ScaleForgotten,
    /// All bits of an extended sum are those of the sum of its extended parts.
    HighBitsCount,
    /// The parts of a value are added without their places.
    PieceNotInPlace,
    /// What does not take part behind a mask is 0.
    AbsentIsZero,
    /// Of a small payload the lowest bit is all that is added.
    SmallIsOne,
    /// What is divided by a power of two keeps its low bits.
    QuotientOfAll,
    /// A quotient of a place is that place.
    PlaceNotDivided,
    /// What one of a few values is equal to, each of them is.
    EachBeside,
    /// Where a sum has no atoms it is neutral.
    NeutralElsewhere,
    /// A flip of the sign of a floating-point number keeps the order.
    NegationKeepsOrder,
    /// One zero is less than the other.
    ZerosAreOrdered,
    /// NaNs are ordered as their bits are.
    NanIsOrdered,
    /// Any of some numbers is the least of them.
    AnyMember,
    /// Where either of two numbers may be chosen, it is the one that is chosen elsewhere.
    OpenIsChosen,
    /// Of equal numbers the greater is both, of zeros, too.
    EqualZerosAreOne,
    /// A number with a bit of its exponent set is no NaN.
    SetBitsAreNoNan,
    /// Integers that numbers become by flips of their bits are in the numbers' order.
    KeysKeepOrder,
    /// An infinity counts for nothing where there is no number.
    InfinityIsNeutral,
    /// What two values are in some states they are in the others.
    SameElsewhere,
    /// Where a value is any number, to combine it changes nothing.
    AnyNumberIsNeutral,
    /// Beside any number nothing counts.
    AnyNumberAbsorbs,
    /// Numbers with signs are ordered alike in all ways.
    OrdersAgree,
    /// What a test says where it holds is so elsewhere, too.
    TestHoldsEverywhere,
    /// Any value makes an extreme of that and others count for nothing.
    AnyIsAbsorbed,
    /// Sums of a common summand never wrap.
    SummandNeverWraps,
    /// What is a summand of each sum is one of all as often.
    SummandIsCommon,
    /// Summands that are there together are one at a time.
    ChosenTogether,
    /// What one lane compares stands for all lanes.
    OneLane,
    /// What is below multiples counts whatever these are.
    BelowAlone,
    /// A sum carries what all of its parts do.
    CarriesOfParts,
    /// Sums that have multiples of a power of two carry nothing else.
    NothingCarried,
    /// Of a number that is not −0 no whole number beside it is.
    NoRoundingToMinusZero,
    /// What is no zero is none when it is rounded up.
    AnyIsRoundedUp,
    /// A sum of integers that were rounded before is the sum of the integers.
    SumsAreRoundedOnce,
    /// What is rounded up is the opposite of what the opposite is when it is rounded up.
    RoundingNotTurned,
    /// What limits each part of an extreme does not limit what it is without parts.
    RestNotLimited,
    /// What is neutral outdoes all.
    NeutralOutdoes,
    /// As a floating-point number one is zero.
    OneIsZero,
    /// What a constant is in some states it is where it is something else, too.
    LastCounts,
    /// Multiples and sums never wrap.
    MapNeverWraps,
    /// What turns the order keeps it.
    MapNotTurned,
    /// Images by different maps are images by one.
    AnyMap,
    /// What is in order in some states is in all.
    OrderedEverywhere,
    /// Each part of an extreme is that extreme.
    AnyPartIsExtreme,
    /// What is above a number without a sign repeats its highest bit.
    ExtensionHasSign,
    /// What has no common bits in some states has none.
    ApartEverywhere,
    /// What a mask does not keep is 0.
    NothingBesideMask,
    /// A part that another one outdoes in some states never counts.
    OutdoneEverywhere,
    /// One limit is not above another one where nothing says so.
    LimitElsewhere,
    /// What limits a payload in some states limits it in all.
    LimitedEverywhere,
    /// Beside a payload that has a limit no number counts.
    NumberNeverCounts,
    /// What holds where a condition does not hold holds everywhere.
    OneCase,
    /// What a parameter is in one case it is in the other.
    CaseEverywhere,
    /// Of two sides of a word the high one is not moved to its place.
    SideNotMoved,
    /// What is flipped by the sign stays in order.
    FlipsKeepOrder,
    /// Numbers and NaNs are converted in order.
    NanIsMapped,
    /// A negative factor keeps the order.
    FactorKeepsOrder,
    /// What is no zero has no image that is one.
    NothingUnderflows,
    /// What is converted to fewer bits and back is the same.
    RoundedAndBack,
    /// What a mask keeps of a number is that number.
    AnyMaskKeepsNumbers,
    /// No integer is rounded.
    IntegersAreExact,
    /// No order rounds a sum.
    SumIsExact,
}

impl BrokenLaw {
    /// All of them.
    pub const ALL: [Self; 104] = [
        Self::SomePartIsEqual,
        Self::RecordIsLast,
        Self::ClassWithoutBegin,
        Self::WithinOthers,
        Self::ComplementIsOpposite,
        Self::OpenIsFixed,
        Self::EqualElsewhere,
        Self::ValueIsZero,
        Self::OthersNotLimited,
        Self::LimitMayBeZero,
        Self::TwiceInXor,
        Self::HighBitsOfSum,
        Self::OperatorNotExchanged,
        Self::NothingChosen,
        Self::DifferentSumsDiffer,
        Self::SignForgotten,
        Self::ExponentWraps,
        Self::TableWithoutPlace,
        Self::FixedSomewhere,
        Self::EachIsFirst,
        Self::PlaceNotMoved,
        Self::PlaceOfEitherCase,
        Self::HighBitsOfProduct,
        Self::OrderNotTurned,
        Self::SumOfLanesNeverWraps,
        Self::TotalWithoutSign,
        Self::CareOfOneSide,
        Self::SameEverywhere,
        Self::OrderKept,
        Self::AnyBitsInOrder,
        Self::LowAlone,
        Self::RestNotBeside,
        Self::PartOfOthers,
        Self::DecidedSomewhere,
        Self::FixedElsewhere,
        Self::CarriesCountOnce,
        Self::SamePartsAlone,
        Self::SomeForAll,
        Self::CarryForgotten,
        Self::SumNeverWraps,
        Self::RestNotMultiplied,
        Self::NoChoiceLost,
        Self::ScaleForgotten,
        Self::HighBitsCount,
        Self::PieceNotInPlace,
        Self::SmallIsOne,
        Self::AbsentIsZero,
        Self::QuotientOfAll,
        Self::PlaceNotDivided,
        Self::EachBeside,
        Self::NeutralElsewhere,
        Self::NegationKeepsOrder,
        Self::ZerosAreOrdered,
        Self::NanIsOrdered,
        Self::AnyMember,
        Self::OpenIsChosen,
        Self::EqualZerosAreOne,
        Self::SetBitsAreNoNan,
        Self::KeysKeepOrder,
        Self::InfinityIsNeutral,
        Self::SameElsewhere,
        Self::AnyNumberIsNeutral,
        Self::AnyNumberAbsorbs,
        Self::OrdersAgree,
        Self::TestHoldsEverywhere,
        Self::AnyIsAbsorbed,
        Self::SummandNeverWraps,
        Self::SummandIsCommon,
        Self::ChosenTogether,
        Self::OneLane,
        Self::BelowAlone,
        Self::CarriesOfParts,
        Self::NothingCarried,
        Self::AnyIsRoundedUp,
        Self::NoRoundingToMinusZero,
        Self::RoundingNotTurned,
        Self::SumsAreRoundedOnce,
        Self::RestNotLimited,
        Self::NeutralOutdoes,
        Self::OneIsZero,
        Self::LastCounts,
        Self::MapNeverWraps,
        Self::MapNotTurned,
        Self::AnyMap,
        Self::OrderedEverywhere,
        Self::AnyPartIsExtreme,
        Self::ExtensionHasSign,
        Self::ApartEverywhere,
        Self::NothingBesideMask,
        Self::OutdoneEverywhere,
        Self::LimitElsewhere,
        Self::LimitedEverywhere,
        Self::NumberNeverCounts,
        Self::OneCase,
        Self::CaseEverywhere,
        Self::SideNotMoved,
        Self::FlipsKeepOrder,
        Self::NanIsMapped,
        Self::FactorKeepsOrder,
        Self::NothingUnderflows,
        Self::RoundedAndBack,
        Self::AnyMaskKeepsNumbers,
        Self::IntegersAreExact,
        Self::SumIsExact,
    ];

    /// Those about floating-point numbers.
    pub const OF_NUMBERS: [Self; 8] = [
        Self::NegationKeepsOrder,
        Self::ZerosAreOrdered,
        Self::NanIsOrdered,
        Self::AnyMember,
        Self::OpenIsChosen,
        Self::InfinityIsNeutral,
        Self::SameElsewhere,
        Self::OrdersAgree,
    ];

    /// Those about tests of floating-point numbers.
    pub const OF_TESTS: [Self; 1] = [Self::TestHoldsEverywhere];

    /// Those about limits of floating-point numbers and of integers.
    pub const OF_LIMITS: [Self; 2] = [Self::LimitedEverywhere, Self::NumberNeverCounts];
    /// Those about maps and sums of floating-point numbers.
    pub const OF_MAPS: [Self; 14] = [
        Self::SumsAreRoundedOnce,
        Self::AnyIsRoundedUp,
        Self::NoRoundingToMinusZero,
        Self::RoundingNotTurned,
        Self::FlipsKeepOrder,
        Self::NanIsMapped,
        Self::FactorKeepsOrder,
        Self::NothingUnderflows,
        Self::RoundedAndBack,
        Self::AnyMaskKeepsNumbers,
        Self::IntegersAreExact,
        Self::SumIsExact,
        Self::KeysKeepOrder,
        Self::SetBitsAreNoNan,
    ];
}
