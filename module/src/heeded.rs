//! Which execution modes and decorations engines heed: each of the grammar is in one row here.

use rspirv::spirv::{Decoration, ExecutionMode};

/// What becomes of a mode or decoration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Treatment {
    /// Engines do what it says, or say where they do not.
    Heeded,
    /// It does not change what a function that engines run means, for this reason.
    WithoutEffect(&'static str),
    /// It changes what a function means, and no engine knows how.
    Refused,
}

use Treatment::{Heeded, Refused, WithoutEffect};

const STAGES: Treatment =
    WithoutEffect("it is about other stages than those that run, or between them");
const HINT: Treatment = WithoutEffect("it is a hint, or about how hardware is made");
const BEFORE: Treatment = WithoutEffect("it is about what is done before or after a run");
const PLACE: Treatment = WithoutEffect("it says where something is, which no engine looks at");
const UNREACHED: Treatment = WithoutEffect("what it is about is not supported, and refused there");

/// Execution modes.
#[rustfmt::skip]
pub(crate) const MODES: &[(Treatment, &[ExecutionMode])] = {
    use ExecutionMode::*;
    &[
        (Heeded, &[
            LocalSize, LocalSizeId, SubgroupSize, SubgroupsPerWorkgroup, SubgroupsPerWorkgroupId,
            ContractionOff, FPFastMathDefault, DenormPreserve, DenormFlushToZero,
            SignedZeroInfNanPreserve, RoundingModeRTE, RoundingModeRTZ, MaximallyReconvergesKHR,
            SubgroupUniformControlFlowKHR, RequireFullQuadsKHR, QuadDerivativesKHR,
            MaxWorkgroupSizeINTEL, MaxWorkDimINTEL, NoGlobalOffsetINTEL,
        ]),
        (STAGES, &[
            Invocations, SpacingEqual, SpacingFractionalEven, SpacingFractionalOdd, VertexOrderCw,
            VertexOrderCcw, PixelCenterInteger, OriginUpperLeft, OriginLowerLeft, PointMode, Xfb,
            InputPoints, InputLines, InputLinesAdjacency, Triangles, InputTrianglesAdjacency, Quads,
            Isolines, OutputVertices, OutputPoints, OutputLineStrip, OutputTriangleStrip,
            OutputLinesEXT, OutputPrimitivesEXT, OutputTrianglesEXT, CoalescingAMDX, IsApiEntryAMDX,
            MaxNodeRecursionAMDX, StaticNumWorkgroupsAMDX, ShaderIndexAMDX, MaxNumWorkgroupsAMDX,
            SharesInputWithAMDX, TileShadingRateQCOM,
        ]),
        (BEFORE, &[
            EarlyFragmentTests, EarlyAndLateFragmentTestsAMD, PostDepthCoverage, DepthReplacing,
            DepthGreater, DepthLess, DepthUnchanged, StencilRefReplacingEXT,
            StencilRefUnchangedFrontAMD, StencilRefGreaterFrontAMD, StencilRefLessFrontAMD,
            StencilRefUnchangedBackAMD, StencilRefGreaterBackAMD, StencilRefLessBackAMD,
            Initializer, Finalizer,
        ]),
        (HINT, &[
            LocalSizeHint, LocalSizeHintId, VecTypeHint, SchedulerTargetFmaxMhzINTEL,
            NumSIMDWorkitemsINTEL, StreamingInterfaceINTEL, RegisterMapInterfaceINTEL,
            MaximumRegistersINTEL, MaximumRegistersIdINTEL, NamedMaximumRegistersINTEL,
            SharedLocalMemorySizeINTEL,
        ]),
        (UNREACHED, &[
            NonCoherentColorAttachmentReadEXT, NonCoherentDepthAttachmentReadEXT,
            NonCoherentStencilAttachmentReadEXT, NonCoherentTileAttachmentReadQCOM,
            PixelInterlockOrderedEXT, PixelInterlockUnorderedEXT, SampleInterlockOrderedEXT,
            SampleInterlockUnorderedEXT,
            ShadingRateInterlockOrderedEXT, ShadingRateInterlockUnorderedEXT, NamedBarrierCountINTEL,
        ]),
        (Refused, &[
            RoundingModeRTPINTEL, RoundingModeRTNINTEL, FloatingPointModeALTINTEL,
            FloatingPointModeIEEEINTEL, Shader64BitIndexingEXT,
            // They say which invocations make a quad.
            DerivativeGroupQuadsKHR, DerivativeGroupLinearKHR,
        ]),
    ]
};

/// Decorations.
#[rustfmt::skip]
pub(crate) const DECORATIONS: &[(Treatment, &[Decoration])] = {
    use Decoration::*;
    &[
        (Heeded, &[
            RelaxedPrecision, SpecId, ArrayStride, MatrixStride, RowMajor, ColMajor, CPacked, BuiltIn,
            Restrict, Aliased, RestrictPointer, AliasedPointer, Volatile, Coherent, NonWritable,
            NonReadable, Uniform, UniformId, SaturatedConversion, Binding, DescriptorSet, Offset,
            FuncParamAttr, FPRoundingMode, FPFastMathMode, LinkageAttributes, NoContraction, Alignment,
            AlignmentId, MaxByteOffset, MaxByteOffsetId, NoSignedWrap, NoUnsignedWrap,
        ]),
        (STAGES, &[
            NoPerspective, Flat, Patch, Centroid, Sample, Invariant, Stream, XfbBuffer, XfbStride,
            ExplicitInterpAMD, NodeSharesPayloadLimitsWithAMDX, NodeMaxPayloadsAMDX,
            TrackFinishWritingAMDX, PayloadNodeNameAMDX, PayloadNodeBaseIndexAMDX,
            PayloadNodeSparseArrayAMDX, PayloadNodeArraySizeAMDX, PayloadDispatchIndirectAMDX,
            OverrideCoverageNV, PassthroughNV, ViewportRelativeNV, SecondaryViewportRelativeNV,
            PerPrimitiveEXT, PerViewNV, PerTaskNV, PerVertexKHR,
        ]),
        (PLACE, &[
            Block, BufferBlock, Location, Component, Index, InputAttachmentIndex, CounterBuffer,
            UserSemantic, UserTypeGOOGLE, Constant, NonUniform, HostAccessINTEL, ConditionalINTEL,
        ]),
        (HINT, &[
            CacheControlLoadINTEL, CacheControlStoreINTEL, RegisterALTERA, MemoryALTERA,
            NumbanksALTERA, BankwidthALTERA, MaxPrivateCopiesALTERA, SinglepumpALTERA,
            DoublepumpALTERA, MaxReplicatesALTERA, SimpleDualPortALTERA, MergeALTERA, BankBitsALTERA,
            ForcePow2DepthALTERA, StridesizeALTERA, WordsizeALTERA, TrueDualPortALTERA,
            BurstCoalesceALTERA, CacheSizeALTERA, DontStaticallyCoalesceALTERA, PrefetchALTERA,
            StallEnableALTERA, FuseLoopsInFunctionALTERA, MathOpDSPModeALTERA,
            InitiationIntervalALTERA, MaxConcurrencyALTERA, PipelineEnableALTERA,
            BufferLocationALTERA, StallFreeALTERA, LatencyControlLabelALTERA,
            LatencyControlConstraintALTERA, ConduitKernelArgumentALTERA,
            RegisterMapKernelArgumentALTERA, MMHostInterfaceAddressWidthALTERA,
            MMHostInterfaceDataWidthALTERA, MMHostInterfaceLatencyALTERA,
            MMHostInterfaceReadWriteModeALTERA, MMHostInterfaceMaxBurstALTERA,
            MMHostInterfaceWaitRequestALTERA, StableKernelArgumentALTERA, InitModeALTERA,
            ImplementInRegisterMapALTERA, BankNV,
        ]),
        (UNREACHED, &[
            WeightTextureQCOM, BlockMatchTextureQCOM, BlockMatchSamplerQCOM,
            HitObjectShaderRecordBufferNV, HitObjectShaderRecordBufferEXT, BindlessSamplerNV,
            BindlessImageNV, BoundSamplerNV, BoundImageNV, IOPipeStorageALTERA, FuncParamIOKindINTEL,
            SaturatedToLargestFloat8NormalConversionEXT, MediaBlockIOINTEL, SingleElementVectorINTEL,
        ]),
        (Refused, &[
            GLSLShared, GLSLPacked, ArrayStrideIdEXT, OffsetIdEXT, MemberOffsetNV, SIMTCallINTEL,
            ReferencedIndirectlyINTEL, ClobberINTEL, SideEffectsINTEL, VectorComputeVariableINTEL,
            VectorComputeFunctionINTEL, StackCallINTEL, GlobalVariableOffsetINTEL,
            FunctionRoundingModeINTEL, FunctionDenormModeINTEL, FunctionFloatingPointModeINTEL,
            VectorComputeCallableFunctionINTEL, FPMaxErrorDecorationINTEL, AliasScopeINTEL,
            NoAliasINTEL,
        ]),
    ]
};

/// Engines answer "unknown" where this mode is declared.
pub(crate) fn is_mode_refused(mode: ExecutionMode) -> bool {
    let mut rows = MODES.iter().filter(|(treatment, _)| *treatment == Refused);
    rows.any(|(_, modes)| modes.contains(&mode))
}

/// Engines answer "unknown" where this decoration is.
pub(crate) fn is_decoration_refused(decoration: Decoration) -> bool {
    let mut rows = DECORATIONS.iter().filter(|(treatment, _)| *treatment == Refused);
    rows.any(|(_, decorations)| decorations.contains(&decoration))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Named;

    /// Past the number of every enumerant.
    const NUMBERS: u32 = 1 << 14;

    fn rows<T: Copy + PartialEq + Named>(
        table: &[(Treatment, &[T])],
        of_number: fn(u32) -> Option<T>,
    ) -> usize {
        let mut known = 0;
        for found in (0..NUMBERS).filter_map(of_number) {
            let rows = table.iter().flat_map(|(_, all)| *all).filter(|it| **it == found).count();
            assert_eq!(rows, 1, "{} must be in one row", found.name());
            known += 1;
        }
        assert_eq!(table.iter().map(|(_, all)| all.len()).sum::<usize>(), known);
        known
    }

    #[test]
    fn each_mode_and_decoration_has_its_row() {
        assert_eq!(rows(MODES, ExecutionMode::from_u32), 97);
        assert_eq!(rows(DECORATIONS, Decoration::from_u32), 149);
    }
}
