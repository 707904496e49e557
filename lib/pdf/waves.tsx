import { Path, Svg } from "@react-pdf/renderer";
import { WAVE_OPACITY, wavePaths } from "@/lib/cards/model/waves";

type Area = { seed: number; width: number; height: number };

/** The waves of a merchant's banknote inside an `Svg`, in points. */
export const WavePaths = ({ seed, width, height }: Area) =>
  wavePaths(seed, width, height).map((path) => (
    <Path key={path} d={path} stroke="#ffffff" strokeOpacity={WAVE_OPACITY} strokeWidth={0.7} fill="none" />
  ));

/** The same over the view that holds it, which must hide what overflows. */
export const Waves = ({ seed, width, height }: Area) => (
  <Svg style={{ position: "absolute", top: 0, left: 0, width, height }} viewBox={`0 0 ${width} ${height}`}>
    <WavePaths seed={seed} width={width} height={height} />
  </Svg>
);
