import type { ReactNode } from "react";
import { PanelFrame } from "@/app/session/panel-frame";

export default function Layout({ children }: { children: ReactNode }) {
  return <PanelFrame segment="admin">{children}</PanelFrame>;
}
