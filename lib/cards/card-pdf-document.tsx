import {
  Defs,
  Document,
  Image,
  LinearGradient,
  Page,
  Path,
  Rect,
  Stop,
  Svg,
  View,
} from "@react-pdf/renderer";
import type { CardColours } from "@/lib/domain/card-colours";
import { BidiText } from "@/lib/pdf/bidi-text";

/** In points of 1/72 inch. */
export const CARD = { width: 499, height: 314, radius: 20 };
export const QR_SIDE = 150;
const PAGE_GROUND = "#f8fafc";

/** The content of the page in its language. Images are data URLs. */
export type CardSheet = {
  rtl: boolean;
  title: string;
  businessName: string;
  person: string;
  colours: CardColours;
  background: string | null;
  qr: string;
  scan: string;
  cashCaption: string;
  points: string;
  pointsUnit: string;
  cash: string;
  holderCaption: string;
  holder: string;
  sinceCaption: string;
  since: string;
  detailsTitle: string;
  details: { label: string; value: string }[];
  hint: string;
};

const waves = Array.from({ length: 27 }, (_, line) => {
  const y = line * 12 + 6;
  const swells = Array.from({ length: 5 }, () => "c 34 -13 66 -13 100 0").map((swell, index) =>
    index % 2 ? swell.replaceAll("-13", "13") : swell,
  );
  return `M 0 ${y} ${swells.join(" ")}`;
});

function Ground({ sheet }: { sheet: CardSheet }) {
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
          {/* Dark enough behind text for white text on a white image, as on the web card. */}
          <LinearGradient id="shade" x1="0" y1="0" x2="0" y2="1">
            <Stop offset="0%" stopColor="#000000" stopOpacity={0.62} />
            <Stop offset="22%" stopColor="#000000" stopOpacity={0.54} />
            <Stop offset="38%" stopColor="#000000" stopOpacity={0.42} />
            <Stop offset="58%" stopColor="#000000" stopOpacity={0.56} />
            <Stop offset="100%" stopColor="#000000" stopOpacity={0.78} />
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

function Caption({ children }: { children: string }) {
  return (
    <BidiText size={8.5} color="#e2e8f0">
      {children}
    </BidiText>
  );
}

function Cash({ sheet }: { sheet: CardSheet }) {
  const apart = { marginBottom: 7, marginHorizontal: 5 };
  return (
    <View style={{ flexDirection: sheet.rtl ? "row-reverse" : "row", alignItems: "flex-end", marginTop: 2 }}>
      <BidiText size={34} color="#ffffff" bold>
        {sheet.points}
      </BidiText>
      <View style={apart}>
        <BidiText size={14} color="#e2e8f0">
          {sheet.pointsUnit}
        </BidiText>
      </View>
      <View style={apart}>
        <BidiText size={13} color={sheet.background ? "#ffffff" : sheet.colours.accent}>
          {sheet.cash}
        </BidiText>
      </View>
    </View>
  );
}

function Foot({
  caption,
  children,
  align,
}: {
  caption: string;
  children: string;
  align: "flex-start" | "flex-end";
}) {
  return (
    <View style={{ alignItems: align }}>
      <Caption>{caption}</Caption>
      <BidiText size={13} color="#ffffff" bold>
        {children}
      </BidiText>
    </View>
  );
}

/** The card in the layout of the web card, mirrored in Arabic. */
function Face({ sheet }: { sheet: CardSheet }) {
  const across = sheet.rtl ? "row-reverse" : "row";
  const start = sheet.rtl ? "flex-end" : "flex-start";
  const end = sheet.rtl ? "flex-start" : "flex-end";
  return (
    <View style={{ width: CARD.width, height: CARD.height, position: "relative" }}>
      <Ground sheet={sheet} />
      <View style={{ padding: 26, height: CARD.height, justifyContent: "space-between" }}>
        <View style={{ flexDirection: across, justifyContent: "space-between" }}>
          <View style={{ width: 260, height: 190, justifyContent: "space-between", alignItems: start }}>
            <View style={{ alignItems: start }}>
              <BidiText size={24} color="#ffffff" bold>
                {sheet.businessName}
              </BidiText>
              {sheet.person !== "" && (
                <BidiText size={11} color="#e2e8f0" above={3}>
                  {sheet.person}
                </BidiText>
              )}
            </View>
            <View style={{ alignItems: start }}>
              <Caption>{sheet.cashCaption}</Caption>
              <Cash sheet={sheet} />
            </View>
          </View>
          <View style={{ alignItems: "center" }}>
            <View style={{ backgroundColor: "#ffffff", borderRadius: 12, padding: 10 }}>
              <Image src={sheet.qr} style={{ width: QR_SIDE, height: QR_SIDE }} />
            </View>
            <BidiText size={10} color="#ffffff" above={6}>
              {sheet.scan}
            </BidiText>
          </View>
        </View>
        <View
          style={{
            flexDirection: across,
            justifyContent: "space-between",
            borderTopWidth: 0.7,
            borderTopColor: "#ffffff55",
            paddingTop: 9,
          }}
        >
          <Foot caption={sheet.holderCaption} align={start}>
            {sheet.holder}
          </Foot>
          <Foot caption={sheet.sinceCaption} align={end}>
            {sheet.since}
          </Foot>
        </View>
      </View>
    </View>
  );
}

function Details({ sheet }: { sheet: CardSheet }) {
  return (
    <View
      style={{
        marginTop: 28,
        padding: 22,
        backgroundColor: "#ffffff",
        borderRadius: 14,
        borderWidth: 0.8,
        borderColor: "#e2e8f0",
      }}
    >
      <View style={{ alignItems: sheet.rtl ? "flex-end" : "flex-start" }}>
        <BidiText size={14} color="#0f172a" bold>
          {sheet.detailsTitle}
        </BidiText>
      </View>
      {sheet.details.map(({ label, value }, index) => (
        <View
          key={label}
          style={{
            flexDirection: sheet.rtl ? "row-reverse" : "row",
            justifyContent: "space-between",
            paddingVertical: 8,
            marginTop: index === 0 ? 6 : 0,
            borderTopWidth: index === 0 ? 0 : 0.7,
            borderTopColor: "#e2e8f0",
          }}
        >
          <BidiText size={11} color="#475569">
            {label}
          </BidiText>
          <BidiText size={11} color="#0f172a" bold>
            {value}
          </BidiText>
        </View>
      ))}
    </View>
  );
}

/** One A4 page: the card and its details. */
export function CardDocument({ sheet }: { sheet: CardSheet }) {
  return (
    <Document title={sheet.title} author={sheet.businessName} language={sheet.rtl ? "ar" : "en"}>
      <Page size="A4" style={{ backgroundColor: PAGE_GROUND, padding: 48 }}>
        <Face sheet={sheet} />
        <Details sheet={sheet} />
        <View style={{ alignItems: "center" }}>
          <BidiText size={10} color="#475569" above={22}>
            {sheet.hint}
          </BidiText>
        </View>
      </Page>
    </Document>
  );
}
