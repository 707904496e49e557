import { z } from "zod";
import { exportHolderData } from "@/lib/cards/card-holder";
import { contentDisposition } from "@/lib/http/csv";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { customerParams } from "@/lib/http/wire/customers";

export const GET = route({
  run: exportHolderData,
  summary:
    "Everything that is kept about a card's holder, as a JSON file, for the card holder's cookie only.",
  tag: "Customer card",
  params: customerParams,
  respond: {
    contentType: "application/json",
    schema: z.looseObject({}),
    from: (data) =>
      new Response(JSON.stringify(data, null, 2), {
        headers: {
          "Content-Type": "application/json; charset=utf-8",
          "Content-Disposition": contentDisposition("my-loyalty-card-data.json"),
          "Cache-Control": "no-store",
        },
      }),
  },
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
