import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { Db } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { attachUpload, checkUpload, detachUpload, readImage } from "@/lib/files/attach";
import type { UploadCategory } from "@/lib/files/model/uploads";
import { pendingKey, storage } from "@/lib/files/storage";
import { createUpload, readDocument, removeStaleUploads } from "@/lib/files/uploads";
import { handlerOf } from "@/lib/testing/handlers";
import { contextOf, makeAdmin, makeMerchant, publicContext } from "./factories";

const GET = handlerOf("GET", "media/{...key}");

/** Sends a file to an upload URL like a browser does, and answers the HTTP status. */
export type Put = (url: string, contentType: string, bytes: Buffer) => Promise<number>;

const PDF = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n");

/** A JPEG with text in its metadata. */
export const picture = (width = 2400, height = 1200): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: "#7c2d12" } })
    .jpeg()
    .withExif({ IFD0: { ImageDescription: "taken at home" } })
    .toBuffer();

const PAGE = Buffer.from("<html><script>alert(1)</script></html>");
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
);

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

const served = async (key: string) => {
  const context = { params: { key: key.split("/") } };
  return GET(new Request(`http://localhost/api/media/${key}`), context);
};

/** The tests that every store must pass: the one on disk and S3. */
export function uploadJourney(db: Db, put: Put): void {
  const stranger = publicContext(db);

  async function uploaded(
    bytes: Buffer,
    type: string,
    category: UploadCategory,
    ctx: PublicContext = stranger,
  ) {
    const input = { fileName: "file", contentType: type, fileCategory: category };
    const ticket = await createUpload(ctx, input);
    expect(await put(ticket.presignedUrl, type, bytes)).toBe(200);
    return ticket.key;
  }
  const attach = async (key: string, category: UploadCategory, merchantId?: string) => {
    const file = await checkUpload(stranger, key, category);
    await db.$transaction((tx) => attachUpload(tx, file, merchantId));
  };

  describe("an image", () => {
    test("is served only after it is attached, as a smaller WebP without metadata", async () => {
      const key = await uploaded(await picture(), "image/jpeg", "image");
      expect((await served(key)).status).toBe(404);
      await attach(key, "image");
      const response = await served(key);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("image/webp");
      expect(response.headers.get("cache-control")).toContain("immutable");
      const meta = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
      expect(meta).toMatchObject({ format: "webp", width: 1600, height: 800 });
      expect(meta.exif).toBeUndefined();
      const png = await readImage(key, { format: "png", width: 90, height: 90 });
      expect(await sharp(png ?? Buffer.alloc(0)).metadata()).toMatchObject({
        format: "png",
        width: 90,
        height: 90,
      });
    });

    test("with a page behind it is drawn again, so that the page is gone", async () => {
      const bytes = Buffer.concat([await picture(64, 64), PAGE]);
      const key = await uploaded(bytes, "image/jpeg", "image");
      await attach(key, "image");
      const response = await served(key);
      expect(response.headers.get("content-type")).toBe("image/webp");
      expect(Buffer.from(await response.arrayBuffer()).includes("alert(1)")).toBe(false);
    });

    test("is attached once, also with two concurrent attempts", async () => {
      const key = await uploaded(await picture(40, 40), "image/jpeg", "image");
      const file = await checkUpload(stranger, key, "image");
      const both = await Promise.allSettled(
        [1, 2].map(() => db.$transaction((tx) => attachUpload(tx, file))),
      );
      expect(both.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
      await expect(checkUpload(stranger, key, "image")).rejects.toMatchObject({ code: "upload_unknown" });
    });

    test.each([
      ["a PDF that claims to be a PNG", async () => PDF, "image/png"],
      ["a JPEG that claims to be a PNG", () => picture(10, 10), "image/png"],
      ["a page that claims to be a picture", async () => PAGE, "image/png"],
      ["an SVG that claims to be a PNG", async () => SVG, "image/png"],
      [
        "a page with a GIF's first bytes",
        async () => Buffer.concat([Buffer.from("GIF89a"), PAGE]),
        "image/gif",
      ],
      ["a picture of 400 million pixels", async () => bomb(), "image/png"],
      ["a broken picture", async () => (await picture(80, 80)).subarray(0, 60), "image/jpeg"],
      ["nothing", async () => Buffer.alloc(0), "image/png"],
    ])("%s is refused", async (_what, make, type) => {
      const key = await uploaded(await make(), type, "image");
      await expect(checkUpload(stranger, key, "image")).rejects.toMatchObject({ code: "upload_mismatch" });
      expect((await served(key)).status).toBe(404);
    });
  });

  test("the URL accepts only the named type, and the size if it was named", async () => {
    const bytes = await picture(10, 10);
    const input = { fileName: "a.jpg", contentType: "image/jpeg", fileCategory: "image" as const };
    const open = await createUpload(stranger, input);
    expect(await put(open.presignedUrl, "text/html", bytes)).toBe(403);
    const exact = await createUpload(stranger, { ...input, fileSize: bytes.length });
    expect(await put(exact.presignedUrl, "image/jpeg", Buffer.concat([bytes, PDF]))).toBe(403);
    expect(await put(exact.presignedUrl.slice(0, -1), "image/jpeg", bytes)).toBe(403);
    expect(await put(exact.presignedUrl, "image/jpeg", bytes)).toBe(200);
  });

  test("a JPEG is taken under the type that it was announced with", async () => {
    const key = await uploaded(await picture(10, 10), "image/jpg", "image");
    await attach(key, "image");
    expect((await served(key)).status).toBe(200);
  });

  test.each(["images/x\u0000.webp", "../secret", "images", "documents/1"])(
    "an invalid key: %j",
    async (key) => {
      expect((await served(key)).status).toBe(404);
      await expect(checkUpload(stranger, key, "image")).rejects.toMatchObject({ code: "upload_unknown" });
    },
  );

  test("a named size above 5 MB is refused", async () => {
    const input = { fileName: "a.pdf", contentType: "application/pdf", fileCategory: "document" as const };
    const refused = { code: "upload_too_large", params: { limit: 5 } };
    const big = createUpload(stranger, { ...input, fileSize: 5 * 1024 * 1024 + 1 });
    await expect(big).rejects.toMatchObject(refused);
  });

  test("a document is not public: only administrators can read it", async () => {
    const shop = await makeMerchant(db);
    const key = await uploaded(PDF, "application/pdf", "document");
    await attach(key, "document", shop.merchant.id);
    expect((await served(key)).status).toBe(404);
    const { id } = await db.upload.findUniqueOrThrow({ where: { key }, select: { id: true } });
    const input = { merchantId: shop.merchant.id, documentId: id };
    const file = await readDocument(contextOf(db, await makeAdmin(db)), input);
    expect(file).toMatchObject({ bytes: PDF, contentType: "application/pdf", fileName: "file.pdf" });
    const owner = readDocument(contextOf(db, shop.owner), input);
    await expect(owner).rejects.toMatchObject({ code: "forbidden" });
    const foreign = { ...input, merchantId: (await makeMerchant(db)).merchant.id };
    const elsewhere = readDocument(contextOf(db, await makeAdmin(db)), foreign);
    await expect(elsewhere).rejects.toMatchObject({ code: "not_found" });
  });

  test("another user's upload cannot be attached", async () => {
    const { owner } = await makeMerchant(db);
    const key = await uploaded(await picture(10, 10), "image/jpeg", "image", contextOf(db, owner));
    await expect(checkUpload(stranger, key, "image")).rejects.toMatchObject({ code: "upload_unknown" });
    expect(await checkUpload(contextOf(db, owner), key, "image")).toMatchObject({ key });
  });

  test("unattached and replaced files are removed, attached ones stay", async () => {
    const keys = [];
    for (let n = 0; n < 3; n += 1) keys.push(await uploaded(await picture(20, 20), "image/jpeg", "image"));
    const [forgotten = "", replaced = "", kept = ""] = keys;
    await attach(replaced, "image");
    await attach(kept, "image");
    await db.$transaction((tx) => detachUpload(tx, replaced));
    await removeStaleUploads(db);
    expect(await storage().read(replaced, 1e6)).toBeNull();
    expect(await db.upload.count({ where: { key: forgotten } })).toBe(1);
    await removeStaleUploads(db, new Date(Date.now() + 25 * 3_600_000));
    expect(await storage().read(pendingKey(forgotten), 1e6)).toBeNull();
    expect(await db.upload.count({ where: { key: forgotten } })).toBe(0);
    expect((await served(kept)).status).toBe(200);
  });
}
