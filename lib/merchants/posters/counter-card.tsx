import { Page, View } from "@react-pdf/renderer";
import { BidiText } from "@/lib/pdf/bidi-text";
import { Waves } from "@/lib/pdf/waves";
import { A4, Code, PosterLine, PosterLogo, PosterNames, type PosterSheet, QUIET } from "./sheet";

const SIDE = { width: A4.width, height: A4.height / 2 };
const BAND = 250;
const QR = 190;

/** One side of the tent: the names in the card's colour, the code beside them. */
function Side({ sheet, turned }: { sheet: PosterSheet; turned: boolean }) {
  return (
    <View
      style={{
        ...SIDE,
        flexDirection: "row",
        backgroundColor: "#ffffff",
        ...(turned ? { transform: "rotate(180deg)" } : {}),
      }}
    >
      <View
        style={{
          width: BAND,
          height: SIDE.height,
          backgroundColor: sheet.colours.via,
          alignItems: "center",
          justifyContent: "center",
          padding: 20,
          overflow: "hidden",
        }}
      >
        <Waves seed={sheet.colours.waves} width={BAND} height={SIDE.height} />
        <PosterLogo sheet={sheet} side={84} below={18} />
        <PosterNames names={sheet.names} most={34} width={BAND - 40} />
      </View>
      <View style={{ flexGrow: 1, alignItems: "center", justifyContent: "space-evenly", padding: 16 }}>
        {sheet.lines.slice(0, 1).map((line) => (
          <PosterLine key={line.title} {...line} size={20} />
        ))}
        <Code sheet={sheet} side={QR} />
        {sheet.lines.slice(1).map((line) => (
          <PosterLine key={line.title} {...line} size={20} />
        ))}
      </View>
    </View>
  );
}

/** A card for the counter: one A4 page that is folded in the middle, so that both sides stand upright. */
export function CounterCardPage({ sheet }: { sheet: PosterSheet }) {
  return (
    <Page size="A4" style={{ backgroundColor: "#ffffff" }}>
      <Side sheet={sheet} turned />
      <Side sheet={sheet} turned={false} />
      <View
        style={{
          position: "absolute",
          top: SIDE.height - 7,
          right: 12,
          flexDirection: "row",
          gap: 10,
          backgroundColor: "#ffffff",
          paddingHorizontal: 6,
        }}
      >
        {sheet.lines.map(({ fold }) => (
          <BidiText key={fold} size={8} color={QUIET}>
            {fold}
          </BidiText>
        ))}
      </View>
    </Page>
  );
}
