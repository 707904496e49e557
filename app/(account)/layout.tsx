import type { ReactNode } from "react";
import { AreaTexts } from "@/app/_texts/area-texts";

export default function Layout({ children }: { children: ReactNode }) {
  return <AreaTexts area="account">{children}</AreaTexts>;
}
