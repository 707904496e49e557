/** What an upload may be: its content type, and its exact size in bytes when that was named. */
export type UploadBounds = { contentType: string; size?: number };

/** Where files are kept. Keys are ours, never a person's file name. */
export type Storage = {
  name: "s3" | "disk";
  /** A URL that takes one PUT of such a file, for five minutes. */
  presign(key: string, bounds: UploadBounds): Promise<string>;
  /** The file's bytes, or null when there is none. Throws upload_too_large past `limit` bytes. */
  read(key: string, limit: number): Promise<Buffer | null>;
  write(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Removing what is not there is fine. */
  remove(keys: string[]): Promise<void>;
};

/** How long an upload URL is good for, in seconds. */
export const UPLOAD_SECONDS = 300;
