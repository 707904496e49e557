import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { handlerOf } from "@/lib/testing/handlers";
import { picture, uploadJourney } from "@/lib/testing/upload-journey";
import { tampered } from "@/lib/testing/with-secrets";
import { diskStorage, readUploadToken, signUpload } from "./storage";

const POST = handlerOf("POST", "auth/merchant/upload-url");
const PUT = handlerOf("PUT", "media/upload/{token}");

const db = await testDb();

async function put(url: string, contentType: string, bytes: Buffer): Promise<number> {
  const token = decodeURIComponent(new URL(url).pathname.split("/").at(-1) ?? "");
  const init = { method: "PUT", headers: { "content-type": contentType }, body: new Uint8Array(bytes) };
  const response = await PUT(new Request(url, init), { params: { token } });
  return response.status;
}

uploadJourney(db, put);

const ask = (body: unknown) =>
  POST(
    new Request("http://localhost/api/auth/merchant/upload-url", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
    { params: {} },
  );

test("the call answers the upload URL, the key and the public URL", async () => {
  const bytes = await picture(10, 10);
  const body = {
    fileName: "front.JPG",
    contentType: "image/jpg",
    fileCategory: "image",
    fileSize: bytes.length,
  };
  const { data } = (await (await ask(body)).json()) as { data: Record<string, string> };
  expect(data.fullUrl).toBe(`http://localhost:3000/api/media/${data.key}`);
  expect(await put(data.presignedUrl ?? "", "image/jpeg", bytes)).toBe(200);
});

const PNG = { fileName: "a.png", contentType: "image/png", fileCategory: "image" };
const UNSUPPORTED: [object, RegExp][] = [
  [{ fileName: "a.svg", contentType: "image/svg+xml", fileCategory: "image" }, /valid image file/],
  [{ fileName: "a.pdf", contentType: "application/pdf", fileCategory: "image" }, /valid image file/],
  [{ fileName: "a.exe", contentType: "image/png", fileCategory: "image" }, /valid image file/],
  [{ fileName: "a.txt", contentType: "text/plain", fileCategory: "document" }, /valid document file/],
  [{ ...PNG, contentType: "text/html" }, /valid image file/],
  [{ ...PNG, contentType: "application/xhtml+xml" }, /valid image file/],
  [{ ...PNG, contentType: "application/javascript" }, /valid image file/],
  [{ ...PNG, contentType: "image/png\r\nx: y" }, /valid image file/],
  [{ ...PNG, fileName: "a.svg" }, /valid image file/],
  [{ ...PNG, fileName: "a.html" }, /valid image file/],
  [{ ...PNG, fileName: "a.png.exe" }, /valid image file/],
  [{ ...PNG, fileName: "a.php" }, /valid image file/],
];

test.each(UNSUPPORTED)("an unsupported type is refused: %j", async (body, message) => {
  const response = await ask(body);
  expect(response.status).toBe(400);
  const { errors } = (await response.json()) as { errors: { path: string; message: string }[] };
  expect(errors).toEqual([{ path: "contentType", message: expect.stringMatching(message) }]);
});

test.each([{ fileSize: 5 * 1024 * 1024 + 1 }, { fileSize: -1 }, { fileCategory: "../secret" }])(
  "an upload of %j is refused",
  async (wrong) => {
    const response = await ask({ ...PNG, ...wrong });
    expect([400, 413, 422]).toContain(response.status);
  },
);

test.each(["../../etc/passwd.png", "..\\..\\a.png", "/etc/a.png", "%2e%2e%2fa.png", "a\0.png"])(
  "the name %j does not leave the folder of images",
  async (fileName) => {
    const response = await ask({ ...PNG, fileName });
    const { data } = (await response.json()) as { data?: { key: string } };
    if (response.status === 200) expect(data?.key).toMatch(/^images\/[\w-]+(\.\w+)?$/);
    else expect(response.status).toBe(400);
  },
);

test("a token is valid for five minutes, and only unchanged", async () => {
  const now = Date.now();
  const token = signUpload("pending/x", { contentType: "image/png", size: 3 }, now);
  expect(readUploadToken(token, now)).toEqual({ key: "pending/x", contentType: "image/png", size: 3 });
  expect(readUploadToken(token, now + 301_000)).toBeNull();
  const [body = "", signature = ""] = token.split(".");
  const other = Buffer.from(Buffer.from(body, "base64url").toString().replace("pending", "images"));
  const forged = ["", ".", "a.b", `${other.toString("base64url")}.${signature}`];
  for (const bad of [...forged, ...tampered(token)]) expect(readUploadToken(bad, now), bad).toBeNull();
});

test("a file above 5 MB is refused", async () => {
  const { data } = (await (
    await ask({ fileName: "a.png", contentType: "image/png", fileCategory: "image" })
  ).json()) as { data: Record<string, string> };
  expect(await put(data.presignedUrl ?? "", "image/png", Buffer.alloc(5 * 1024 * 1024 + 1))).toBe(413);
});

test("no path outside the folder is read or written", async () => {
  const store = diskStorage("/tmp/nowhere", "http://localhost");
  for (const key of ["../etc/passwd", "images/../../x", "/etc/passwd", "images/x.webp", ""]) {
    await expect(store.read(key, 10)).rejects.toMatchObject({ code: "upload_unknown" });
    await expect(store.write(key, Buffer.alloc(1), "image/png")).rejects.toMatchObject({
      code: "upload_unknown",
    });
  }
});
