import { Image, Page, View } from "@react-pdf/renderer";
import { BidiText } from "@/lib/pdf/bidi-text";
import { A4, Code, PosterLine, PosterLogo, PosterNames, type PosterSheet, QUIET } from "./sheet";

const QR = 270;
/** Of the image at the top, in points. */
export const HEAD = { width: A4.width, height: 250 };

/** A poster of one A4 page: the image and the names, and the code between its lines. */
export function PosterPage({ sheet }: { sheet: PosterSheet }) {
  const place = { position: "absolute", top: 0, left: 0, ...HEAD } as const;
  const [above, below] = sheet.lines;
  return (
    <Page size="A4" style={{ backgroundColor: "#ffffff" }}>
      <View
        style={{
          ...HEAD,
          backgroundColor: sheet.colours.via,
          justifyContent: "center",
          alignItems: "center",
        }}
      >
        {sheet.background && <Image src={sheet.background} style={place} />}
        {sheet.background && <View style={{ ...place, backgroundColor: sheet.colours.to, opacity: 0.62 }} />}
        <PosterLogo sheet={sheet} side={72} below={12} />
        <PosterNames names={sheet.names} most={sheet.logo && sheet.names.length > 1 ? 34 : 44} width={500} />
      </View>
      <View style={{ flexGrow: 1, alignItems: "center", justifyContent: "space-evenly", padding: 30 }}>
        {above && <PosterLine {...above} size={25} />}
        <Code sheet={sheet} side={QR} />
        {below && <PosterLine {...below} size={25} />}
        <BidiText size={10} color={QUIET}>
          {sheet.link}
        </BidiText>
      </View>
    </Page>
  );
}
