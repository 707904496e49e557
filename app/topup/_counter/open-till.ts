import { type OpenTill, openTill as openWith } from "@/components/offline-counter/open-till";
import { tillCalls } from "./till-calls";

/** Opens the till that this browser is, for the cashier with this session's handle; null where it has no key. */
export const openThisTill = (handle: string): Promise<OpenTill | null> => openWith(handle, tillCalls);
