import { afterAll } from "vitest";
import { endStarted } from "@/scripts/lib/command";

// A trial starts servers as a command does; they end with its file.
afterAll(() => endStarted(0));
