import { Page, View } from "@react-pdf/renderer";
import { BidiText } from "@/lib/pdf/bidi-text";
import { A4, CM, Code, PosterLogo, PosterNames, type PosterSheet } from "./sheet";

const SIDE = 9 * CM;
const ACROSS = 2;
const DOWN = 3;
const PLACES = Array.from({ length: ACROSS * DOWN }, (_, place) => place);

function Titles({ sheet, size }: { sheet: PosterSheet; size: number }) {
  return sheet.lines.map(({ title }, index) => (
    <BidiText key={title} size={size} color="#ffffff" bold above={index === 0 ? 0 : size * 0.12}>
      {title}
    </BidiText>
  ));
}

/** One sticker of 9 cm, with a thin line to cut along. */
function Sticker({ sheet, round }: { sheet: PosterSheet; round: boolean }) {
  const qr = (round ? 3.9 : 4) * CM;
  // In a circle there is less room for names at the top.
  const width = (round ? 4.6 : 7.8) * CM;
  return (
    <View
      style={{
        width: SIDE,
        height: SIDE,
        borderRadius: round ? SIDE / 2 : 18,
        borderWidth: 0.5,
        borderColor: "#94a3b8",
        backgroundColor: sheet.colours.via,
        alignItems: "center",
        justifyContent: "center",
        gap: 6,
      }}
    >
      {round || !sheet.logo ? (
        <PosterNames names={sheet.names} most={sheet.names.length > 1 ? 15 : 19} width={width} />
      ) : (
        <View style={{ flexDirection: "row", alignItems: "center", gap: 10 }}>
          <PosterLogo sheet={sheet} side={42} below={0} />
          <PosterNames names={sheet.names} most={17} width={width - 52} />
        </View>
      )}
      <Code sheet={sheet} side={qr} radius={10} />
      <View style={{ alignItems: "center" }}>
        <Titles sheet={sheet} size={round ? 11 : 12} />
      </View>
    </View>
  );
}

/** A sheet of six stickers on one A4 page. */
export function StickersPage({ sheet, round }: { sheet: PosterSheet; round: boolean }) {
  const gap = (A4.width - ACROSS * SIDE) / (ACROSS + 1);
  const rows = (A4.height - DOWN * SIDE) / (DOWN + 1);
  return (
    <Page size="A4" style={{ backgroundColor: "#ffffff" }}>
      {PLACES.map((place) => (
        <View
          key={place}
          style={{
            position: "absolute",
            left: gap + (place % ACROSS) * (SIDE + gap),
            top: rows + Math.floor(place / ACROSS) * (SIDE + rows),
          }}
        >
          <Sticker sheet={sheet} round={round} />
        </View>
      ))}
    </Page>
  );
}
