import { apiFetch } from "@/components/session/api-fetch";
import type { UploadCategory } from "@/lib/domain/uploads";

/** Why an upload failed: a catalogue key with what fills it, or the server's own sentence. */
export class UploadProblem extends Error {
  constructor(
    readonly key: string,
    readonly params: Record<string, string | number> = {},
  ) {
    super(key);
  }
}

type Ticket = { presignedUrl?: string; key?: string };

/** Asks for a URL and puts the file there. Answers the upload's key; throws UploadProblem, for an empty file too. */
export async function upload(file: File, fileCategory: UploadCategory): Promise<string> {
  if (file.size === 0) throw new UploadProblem("upload.noFile");
  const response = await apiFetch("/api/auth/merchant/upload-url", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ fileName: file.name, contentType: file.type, fileCategory, fileSize: file.size }),
  });
  const answer = (await response.json().catch(() => ({}))) as { message?: string; data?: Ticket };
  if (!response.ok) throw new UploadProblem(answer.message ?? "upload.failed");
  const { presignedUrl, key } = answer.data ?? {};
  if (!presignedUrl || !key) throw new UploadProblem("upload.noUrl");
  const put = await fetch(presignedUrl, {
    method: "PUT",
    headers: { "Content-Type": file.type },
    body: file,
  });
  if (!put.ok) throw new UploadProblem("upload.failedStatus", { status: put.status });
  return key;
}
