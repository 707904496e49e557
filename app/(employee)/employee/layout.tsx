import type { ReactNode } from "react";
import { PanelFrame } from "@/app/_panels/panel-frame";

export default function Layout({ children }: { children: ReactNode }) {
  return <PanelFrame segment="employee">{children}</PanelFrame>;
}
