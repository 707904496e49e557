"use client";

import { createContext, type RefObject } from "react";

/** True while the dialog sends: nobody closes it then. In a separate file, so that a form loads no dialog. */
export const DialogSending = createContext<RefObject<boolean> | null>(null);
