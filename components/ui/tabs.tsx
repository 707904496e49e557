"use client";

import { Tabs as TabsPrimitive } from "radix-ui";
import { part } from "./utils";

export const Tabs = part(TabsPrimitive.Root, "tabs", "flex flex-col gap-4");

export const TabsList = part(
  TabsPrimitive.List,
  "tabs-list",
  "inline-flex w-fit max-w-full items-center gap-1 overflow-x-auto rounded-lg bg-muted p-1 text-muted-foreground",
);

export const TabsTrigger = part(
  TabsPrimitive.Trigger,
  "tabs-trigger",
  "inline-flex h-8 items-center justify-center gap-1.5 whitespace-nowrap rounded-md px-3 font-medium text-sm transition-colors hover:text-foreground disabled:pointer-events-none disabled:opacity-50 data-[state=active]:bg-card data-[state=active]:text-foreground data-[state=active]:shadow-sm [&_svg]:size-4",
);

export const TabsContent = part(TabsPrimitive.Content, "tabs-content", "flex-1");
