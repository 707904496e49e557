import MailComposer from "nodemailer/lib/mail-composer/index.js";
import type MimeNode from "nodemailer/lib/mime-node/index.js";
import { encode, wrap } from "nodemailer/lib/qp/index.js";
import { messageOf, type OutgoingEmail } from "./message";

export type ComposedMessage = { envelope: MimeNode.Envelope; content: Buffer };

const BASE64_LINES = /.{76}/g;

function encodedBody(text: string, encoding: string): string {
  const lines = text.replace(/\r\n?|\n/g, "\r\n");
  if (encoding === "quoted-printable") return wrap(encode(lines));
  if (encoding === "base64") return Buffer.from(lines).toString("base64").replace(BASE64_LINES, "$&\r\n");
  return lines;
}

/** A node of the message and those below it. Throws for content that is not a string. */
function nodeText(node: MimeNode): string {
  // Read before the headers, which write it.
  const encoding = node.getTransferEncoding();
  const head = `${node.buildHeaders()}\r\n\r\n`;
  const { boundary, childNodes, content = "" } = node;
  if (typeof content !== "string") throw new Error("only text can be composed");
  if (!boundary) return head + encodedBody(content, encoding);
  const parts = childNodes.map((child) => `--${boundary}\r\n${nodeText(child)}\r\n`);
  return `${head}${parts.join("")}--${boundary}--\r\n`;
}

/**
 * The RFC 822 message of an e-mail and its envelope. nodemailer writes the headers and chooses the encodings; the bodies
 * are encoded here, because its streams take several times as long for two short texts.
 */
export function composeMessage(mail: OutgoingEmail, from: string): ComposedMessage {
  const root = new MailComposer(messageOf(mail, from)).compile();
  return { envelope: root.getEnvelope(), content: Buffer.from(nodeText(root)) };
}
