import type { ReactNode } from "react";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";

/** A card with a title, and a sentence below the title where it needs one. */
export function TitledCard({
  title,
  text,
  className,
  children,
}: {
  title: ReactNode;
  text?: ReactNode;
  /** Of its content. */
  className?: string;
  children: ReactNode;
}) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        {text && <CardDescription>{text}</CardDescription>}
      </CardHeader>
      <CardContent className={className}>{children}</CardContent>
    </Card>
  );
}
