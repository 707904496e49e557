import { bind, later, tagged } from "@/lib/calls/bind";
import { fileCalls } from "./names";

const uploads = () => import("./uploads");
const logo = () => import("./logo");

export const fileApi = tagged("Files", [
  bind(fileCalls.createUpload, later(uploads, "createUpload"), {
    summary:
      "An upload straight to the store: PUT the file with its content type to the URL within five minutes.",
    example: { fileName: "front.png", contentType: "image/png", fileCategory: "image", fileSize: 120_000 },
  }),
  bind(fileCalls.readMedia, later(logo, "readPicture"), {
    summary: "A business image that is in use.",
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
  }),
  bind(fileCalls.receiveUpload, later(uploads, "receiveUpload"), {
    summary: "Stores the file for an upload URL in the embedded storage.",
    more: ({ bytes, headers }) => ({ bytes, contentType: headers.get("content-type") ?? "" }),
  }),
]);
