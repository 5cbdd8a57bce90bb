//! The smallest possible server of the protocol: two tools whose answers never change. The benchmark compares `skc
//! mcp` with it. It knows nothing about skillc.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, JsonObject, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer, ServiceExt};
use rmcp::transport::stdio_pipes;
use rmcp::{ErrorData, ServerHandler};
use std::error::Error;
use std::sync::Arc;

struct Bare;

impl ServerHandler for Bare {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |name: &'static str| Tool::new(name, "Always the same", Arc::new(JsonObject::new()));
        Ok(ListToolsResult::with_all_items(vec![tool("one"), tool("two")]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match request.name.as_ref() {
            "one" | "two" => Ok(CallToolResult::success(vec![ContentBlock::text("constant")]).into()),
            name => Err(ErrorData::invalid_params(format!("unknown tool '{name}'"), None)),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        Bare.serve(stdio_pipes()).await?.waiting().await?;
        Ok(())
    })
}
