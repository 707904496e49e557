export { generateMetadata, WorkersPage as default } from "@/app/_panels/workers";
