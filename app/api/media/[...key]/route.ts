import { readMedia } from "@/lib/files/uploads";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { same } from "@/lib/http/wire/names";

export const GET = route({
  run: readMedia,
  summary: "A business image that is in use.",
  tag: "Files",
  params: same("key"),
  respond: {
    contentType: "image/webp",
    from: ({ bytes, contentType }) =>
      new Response(new Uint8Array(bytes), {
        headers: {
          "Content-Type": contentType,
          // The content of a key never changes; a new image has a new key.
          "Cache-Control": "public, max-age=31536000, immutable",
          "Cross-Origin-Resource-Policy": "cross-origin",
          "X-Content-Type-Options": "nosniff",
        },
      }),
  },
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
