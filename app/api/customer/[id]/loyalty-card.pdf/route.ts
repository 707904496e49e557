import { z } from "zod";
import { cardPdf } from "@/lib/cards/card-pdf";
import { idSchema } from "@/lib/domain/ids";
import { LOCALES } from "@/lib/domain/roles";
import { attachment } from "@/lib/http/csv";
import { route } from "@/lib/http/route";

export const GET = route({
  run: cardPdf,
  summary:
    "The card as a PDF of one A4 page, by its private id; `lang` chooses another language than the card's.",
  tag: "Customer card",
  params: z.object({ id: idSchema }),
  query: z.object({ lang: z.enum(LOCALES).optional() }),
  input: ({ params, query }) => ({ customerId: params.id, locale: query.lang }),
  respond: {
    contentType: "application/pdf",
    from: ({ fileName, bytes }) =>
      new Response(new Uint8Array(bytes), {
        headers: {
          "Content-Type": "application/pdf",
          "Content-Disposition": attachment(fileName),
          "Content-Length": String(bytes.length),
          "Cache-Control": "no-store",
        },
      }),
  },
  limit: "heavy",
  errors: ["customer_not_found"],
});
