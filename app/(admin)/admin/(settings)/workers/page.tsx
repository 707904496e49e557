export { WorkersPage as default, workersMetadata as generateMetadata } from "@/app/_panels/workers";
