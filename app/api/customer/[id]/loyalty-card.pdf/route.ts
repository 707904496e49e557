import { cardPdf } from "@/lib/cards/card-pdf";
import { contentDisposition } from "@/lib/http/csv";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { customerParams } from "@/lib/http/wire/customers";

export const GET = route({
  run: cardPdf,
  summary:
    "The card as a PDF of one A4 page, by its private id; `lang` chooses another language than the card's.",
  tag: "Customer card",
  params: customerParams,
  query: { lang: "locale" },
  respond: {
    contentType: "application/pdf",
    from: ({ fileName, bytes }) =>
      new Response(new Uint8Array(bytes), {
        headers: {
          "Content-Type": "application/pdf",
          "Content-Disposition": contentDisposition(fileName),
          "Content-Length": String(bytes.length),
          "Cache-Control": "no-store",
        },
      }),
  },
  limit: "heavy",
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
