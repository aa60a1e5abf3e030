//! Which slips leave no doubt about what is meant.

use super::EditorialFault;

impl EditorialFault {
    /// It leaves no doubt about what is meant.
    pub(crate) const fn is_editorial(self) -> bool {
        !matches!(
            self,
            Self::MayOnly
                | Self::Advice
                | Self::SeveralNames
                | Self::Vague
                | Self::Modality
                | Self::Numbers
                | Self::InTitleOnly
                | Self::AndOr
                | Self::LeftToImplementation
                | Self::MayAllow
                | Self::Unnamed
                | Self::OtherNamesOnly
                | Self::LeftOutClause
                | Self::Will
                | Self::OrNewer
                | Self::UnspokenOperand
                | Self::UntypedOperand
                | Self::NoSuchOperand
                | Self::UndefinedWhen
                | Self::FirstOfNoOrder
                | Self::NoOrder
                | Self::NoIdentity
                | Self::InOtherWords
                | Self::IndexInBrackets
                | Self::IdentifiedByItself
                | Self::ScopeOfTheOverview
                | Self::NamedByCapability
                | Self::OtherEquivalents
                | Self::QuotedOnly
                | Self::ActiveOrAll
                | Self::WithoutCondition
                | Self::FirstOfComponents
                | Self::Unversioned
                | Self::ComponentOfAScalar
                | Self::MustThenMay
                | Self::OneDirection
                | Self::NoneButMust
                | Self::EqualVectors
                | Self::ConstantUndefined
                | Self::NoMemoryOrder
                | Self::UniformWithin
                | Self::GreatestOnly
                | Self::TheseUnderACondition
        )
    }
}
