import { Document, Image, Page, View } from "@react-pdf/renderer";
import { cardColours } from "@/lib/domain/card-look";
import { Words } from "@/lib/pdf/words";

export const POSTER_QR = 270;
/** Points of 1/72 inch: the picture at the head of an A4 page. */
export const HEAD = { width: 595.28, height: 250 };

/** What the poster says. Pictures are data URLs. */
export type PosterSheet = {
  merchantId: string;
  businessName: string;
  background: string | null;
  qr: string;
  /** In English and in Arabic: whoever passes the counter reads one of them. */
  lines: { title: string; steps: string }[];
  link: string;
};

function Head({ sheet }: { sheet: PosterSheet }) {
  const colours = cardColours(sheet.merchantId);
  const place = { position: "absolute", top: 0, left: 0, ...HEAD } as const;
  return (
    <View style={{ ...HEAD, backgroundColor: colours.from, justifyContent: "center", alignItems: "center" }}>
      {sheet.background && <Image src={sheet.background} style={place} />}
      {sheet.background && <View style={{ ...place, backgroundColor: "#000000", opacity: 0.48 }} />}
      <View style={{ maxWidth: 500, alignItems: "center" }}>
        <Words size={44} color="#ffffff" bold>
          {sheet.businessName}
        </Words>
      </View>
    </View>
  );
}

/** A poster for the counter: one A4 page whose code opens the merchant's sign-up. */
export function PosterDocument({ sheet }: { sheet: PosterSheet }) {
  return (
    <Document title={sheet.businessName}>
      <Page size="A4" style={{ backgroundColor: "#ffffff" }}>
        <Head sheet={sheet} />
        <View style={{ flexGrow: 1, alignItems: "center", justifyContent: "space-evenly", padding: 30 }}>
          {sheet.lines.slice(0, 1).map((line) => (
            <Line key={line.title} {...line} />
          ))}
          <Image src={sheet.qr} style={{ width: POSTER_QR, height: POSTER_QR }} />
          {sheet.lines.slice(1).map((line) => (
            <Line key={line.title} {...line} />
          ))}
          <Words size={10} color="#475569">
            {sheet.link}
          </Words>
        </View>
      </Page>
    </Document>
  );
}

function Line({ title, steps }: { title: string; steps: string }) {
  return (
    <View style={{ alignItems: "center" }}>
      <Words size={25} color="#0f172a" bold>
        {title}
      </Words>
      <Words size={14} color="#475569" above={4}>
        {steps}
      </Words>
    </View>
  );
}
