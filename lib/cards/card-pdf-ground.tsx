import { Defs, Image, LinearGradient, Path, Rect, Stop, Svg } from "@react-pdf/renderer";
import { CARD, type CardSheet } from "./card-sheet";

const waves = Array.from({ length: 27 }, (_, line) => {
  const y = line * 12 + 6;
  const swells = Array.from({ length: 5 }, () => "c 34 -13 66 -13 100 0").map((swell, index) =>
    index % 2 ? swell.replaceAll("-13", "13") : swell,
  );
  return `M 0 ${y} ${swells.join(" ")}`;
});

/** The picture of a card under shade, or its colours. */
export function Ground({ sheet }: { sheet: CardSheet }) {
  const { colours } = sheet;
  const place = { position: "absolute", top: 0, left: 0, width: CARD.width, height: CARD.height } as const;
  return (
    <>
      {sheet.background && <Image src={sheet.background} style={{ ...place, borderRadius: CARD.radius }} />}
      <Svg style={place} viewBox={`0 0 ${CARD.width} ${CARD.height}`}>
        <Defs>
          <LinearGradient id="ground" x1="0" y1="0" x2="1" y2="1">
            <Stop offset="0%" stopColor={colours.from} />
            <Stop offset="48%" stopColor={colours.via} />
            <Stop offset="100%" stopColor={colours.to} />
          </LinearGradient>
          {/* The card's darkest colour, dense enough for white text on a white image, as on the web card. */}
          <LinearGradient id="shade" x1="0" y1="0" x2="0" y2="1">
            <Stop offset="0%" stopColor={colours.to} stopOpacity={0.8} />
            <Stop offset="22%" stopColor={colours.to} stopOpacity={0.72} />
            <Stop offset="38%" stopColor={colours.to} stopOpacity={0.62} />
            <Stop offset="58%" stopColor={colours.to} stopOpacity={0.74} />
            <Stop offset="100%" stopColor={colours.to} stopOpacity={0.9} />
          </LinearGradient>
        </Defs>
        <Rect
          x={0}
          y={0}
          width={CARD.width}
          height={CARD.height}
          rx={CARD.radius}
          fill={sheet.background ? "url('#shade')" : "url('#ground')"}
        />
        {waves.map((path) => (
          <Path key={path} d={path} stroke="#ffffff" strokeOpacity={0.07} strokeWidth={0.7} fill="none" />
        ))}
      </Svg>
    </>
  );
}
