import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";

/**
 * How a service outside behaves: as it should, away, seconds late, accepting and silent, or answering what nobody can
 * read.
 */
export type Mood = "good" | "down" | "slow" | "silent" | "nonsense";
const LATE = 2_000;

/** A port in front of a real service (or of none), which can be in any mood. */
export class Outside {
  mood: Mood = "good";
  /** Connections since it was last in another mood. */
  met = 0;
  private readonly sockets = new Set<Socket>();
  /** The open connections, each with the one to the real service. */
  private readonly joined = new Map<Socket, Socket>();
  private server: Server | undefined;
  port = 0;

  /** The port of the real service, if there is one. */
  private constructor(public behind: number | undefined) {}

  /** Listens on the loopback; in a good mood it passes everything to `behind`. */
  static async open(behind?: number): Promise<Outside> {
    const outside = new Outside(behind);
    outside.server = createServer((socket) => outside.meet(socket));
    await new Promise<void>((up) => outside.server?.listen(0, "127.0.0.1", up));
    outside.port = (outside.server.address() as AddressInfo).port;
    return outside;
  }

  private meet(socket: Socket): void {
    this.met++;
    this.sockets.add(socket);
    socket.on("close", () => this.sockets.delete(socket));
    socket.on("error", () => {});
    if (this.mood === "down") socket.resetAndDestroy();
    if (this.mood === "nonsense") socket.end(Buffer.from("\u0000\u0007 !? nonsense\r\n\r\n".repeat(20)));
    if (this.mood === "slow") setTimeout(() => this.join(socket), LATE);
    if (this.mood === "good") this.join(socket);
  }

  private join(socket: Socket): void {
    if (this.behind === undefined) {
      socket.resetAndDestroy();
      return;
    }
    const onward = connect(this.behind, "127.0.0.1");
    onward.on("error", () => socket.destroy());
    socket.on("close", () => {
      this.joined.delete(socket);
      onward.destroy();
    });
    onward.on("close", () => {
      if (this.joined.has(socket)) socket.destroy();
    });
    this.joined.set(socket, onward);
    socket.pipe(onward).pipe(socket);
  }

  /** From now on nothing passes, as when a network drops packets: connections stay open and never answer again. */
  cut(): void {
    this.mood = "silent";
    for (const [socket, onward] of this.joined) {
      socket.unpipe(onward);
      onward.unpipe(socket);
      socket.resume();
      onward.resume();
    }
    this.joined.clear();
  }

  /** New connections pass again; those that were cut stay silent. */
  heal(): void {
    this.mood = "good";
  }

  /** Changes the mood; open connections end, as when a service is restarted. */
  become(mood: Mood): void {
    this.mood = mood;
    this.met = 0;
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.become("down");
    await new Promise((done) => this.server?.close(done) ?? done(undefined));
  }
}
