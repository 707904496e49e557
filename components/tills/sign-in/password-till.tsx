"use client";

import { useEffect } from "react";
import { useLoaded } from "@/components/ui/use-loaded";
import { readMark } from "../device/mark";

const load = () => import("./on-till");

/** On a till, the way to change a cashier who signed in with a password. Elsewhere nothing, and nothing is loaded. */
export function PasswordTill(props: { name: string; handle: string; userId: string }) {
  const { part, want } = useLoaded(load);
  useEffect(() => {
    if (readMark() === "paired") want();
  }, [want]);
  return part && <part.OnTill {...props} />;
}
