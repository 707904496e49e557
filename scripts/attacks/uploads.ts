import { crc32, deflateSync } from "node:zlib";
import { newAddress } from "@/lib/testing/contract/exchange";
import { randomPhone, uniqueEmail } from "@/lib/testing/factories";
import { picture } from "@/lib/testing/upload-journey";
import type { Attack, Tally } from "./tally";
import type { Target } from "./target";

const HTML = Buffer.from("<html><script>alert(1)</script></html>");
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
);
const MB = 1024 * 1024;

/** A PNG of 50 kB with 400 million pixels. */
function bomb(side = 20_000): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const [length, sum, body] = [Buffer.alloc(4), Buffer.alloc(4), Buffer.concat([Buffer.from(type), data])];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit a pixel.
  header[8] = 1;
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(Buffer.alloc((side / 8 + 1) * side));
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const image = { fileName: "a.png", contentType: "image/png", fileCategory: "image" };
const askOf = (target: Target) => (body: object) =>
  target.api("post /auth/merchant/upload-url", { body, address: newAddress() });

/** Asks for addresses of forbidden kinds and sizes, and with names that leave the folder. */
async function askForbidden(ask: ReturnType<typeof askOf>, tally: Tally): Promise<void> {
  const refused: object[] = [
    ...[
      "image/svg+xml",
      "text/html",
      "application/xhtml+xml",
      "application/javascript",
      "image/png\r\nx: y",
    ].map((contentType) => ({ ...image, contentType })),
    ...["a.svg", "a.html", "a.png.exe", "a.php"].map((fileName) => ({ ...image, fileName })),
    { ...image, fileSize: 5 * MB + 1 },
    { ...image, fileSize: -1 },
    { ...image, contentType: "application/pdf", fileName: "a.pdf" },
    { ...image, fileCategory: "../secret" },
  ];
  for (const body of refused)
    tally.status((await ask(body)).status, [400, 413, 415, 422], JSON.stringify(body));
  for (const fileName of [
    "../../etc/passwd.png",
    "..\\..\\a.png",
    "/etc/a.png",
    "a\0.png",
    "%2e%2e%2fa.png",
  ]) {
    const { body } = await ask({ ...image, fileName });
    const key = (body?.data as { key: string } | undefined)?.key ?? "images/refused";
    tally.try(/^images\/[\w-]+(\.\w+)?$/.test(key), `${fileName} is stored as ${key}`);
  }
}

async function attack(target: Target, tally: Tally): Promise<void> {
  const ask = askOf(target);
  await askForbidden(ask, tally);
  const send = async (bytes: Buffer, contentType: string) => {
    const { body } = await ask({ ...image, fileName: "file", contentType });
    const { presignedUrl = "", key = "" } = (body?.data ?? {}) as { presignedUrl?: string; key?: string };
    const token = decodeURIComponent(new URL(presignedUrl).pathname.split("/").at(-1) ?? "");
    const sent = await target.api("put /media/upload/{token}", {
      params: { token },
      raw: new Uint8Array(bytes),
      headers: { "content-type": contentType },
    });
    return { key, status: sent.status };
  };
  const attach = (sBusinessImage: string) =>
    target.api("post /auth/merchant/signup", {
      body: {
        ...{
          sBusinessName: "Souq",
          sFirstName: "A",
          sLastName: "B",
          sEmail: uniqueEmail(),
          sPhoneNumber: randomPhone(),
        },
        ...{
          sPassword: "a long new password 7",
          branch: { sBranchName: "Souq", sCity: "Doha" },
          sBusinessImage,
        },
      },
    });
  const media = (key: string) => target.api("get /media/{key}", { params: { key: key.split("/") } });
  const jpeg = await picture(64, 64);
  const files: [string, Buffer, string][] = [
    ["an SVG as a PNG", SVG, "image/png"],
    ["a page as a PNG", HTML, "image/png"],
    ["a JPEG as a PNG", jpeg, "image/png"],
    ["a picture that is cut off", jpeg.subarray(0, 60), "image/jpeg"],
    ["a page with a GIF's first bytes", Buffer.concat([Buffer.from("GIF89a"), HTML]), "image/gif"],
    ["a picture of 400 million pixels", bomb(), "image/png"],
    ["nothing", Buffer.alloc(0), "image/png"],
  ];
  for (const [what, bytes, type] of files) {
    const { key, status } = await send(bytes, type);
    tally.try(status < 500, `${what}: ${status}`);
    tally.status((await media(key)).status, [404], `${what}, before it is checked`);
    tally.status((await attach(key)).status, [400, 413, 422], `${what} as a business's picture`);
    tally.status((await media(key)).status, [404], `${what}, served`);
  }
  const large = await send(Buffer.alloc(5 * MB + 1, 1), "image/png");
  tally.status(large.status, [403, 413], "a file of more than 5 MB");

  // A picture with a page behind it is a picture, because the program draws it again before it serves it.
  const { key } = await send(Buffer.concat([jpeg, HTML]), "image/jpeg");
  tally.works((await attach(key)).status === 200, "a picture");
  const served = await media(key);
  tally.try(served.headers.get("content-type") === "image/webp", "an uploaded picture is served as it came");
  tally.try(
    served.headers.get("x-content-type-options") === "nosniff" || !target.stage.url,
    "a picture may be sniffed",
  );
  const again = await attach(key);
  tally.status(again.status, [400, 422], "a file that another merchant has");
}

export const uploadAttacks = (target: Target): Attack[] => [
  {
    name: "uploads: scripts, polyglots, bombs, names, sizes, types",
    needs: "handlers",
    run: (tally) => attack(target, tally),
  },
];
