//! `tools`: prints the tool definitions as model providers want them.

use agent_todo_host::{Limits, Plugin, Policy, ToolDefinition};
use anyhow::Context;
use lexopt::Parser;
use serde_json::{Value, json};

use crate::flags::{self, Argument};

const HELP: &str = "\
Prints the tool definitions, as JSON, for the `tools` of a request.

Usage: agent-todo tools [--format FORMAT] [POLICY]

  --format anthropic          Anthropic Messages (the default)
           openai             OpenAI Chat Completions, strict
           openai-responses   OpenAI Responses, strict
           mcp                result of `tools/list` of the Model Context Protocol
";

/// How a definition is written.
#[derive(Clone, Copy)]
enum Format {
    Anthropic,
    OpenAi,
    OpenAiResponses,
    Mcp,
}

const FORMATS: &[(&str, Format)] = &[
    ("anthropic", Format::Anthropic),
    ("openai", Format::OpenAi),
    ("openai-responses", Format::OpenAiResponses),
    ("mcp", Format::Mcp),
];

/// Runs the command on its arguments.
pub fn run(parser: &mut Parser) -> anyhow::Result<()> {
    let mut format = Format::Anthropic;
    let mut policy = Policy::default();
    while let Some(argument) = flags::next(parser)? {
        match &argument {
            Argument::Flag(name) if name == "format" => {
                format = flags::choice(parser, name, FORMATS)?;
            }
            Argument::Flag(name) if name == "help" || name == "h" => {
                return crate::print(&format!("{HELP}\n{}", flags::HELP));
            }
            Argument::Flag(name) if flags::policy(&mut policy, name, parser)? => {}
            _ => {
                let legal = format!("--format, {}", flags::POLICY);
                return Err(flags::unexpected(&argument, &legal));
            }
        }
    }
    let plugin = Plugin::bundled(Limits::default())?;
    let tools = plugin.session(&policy)?.tools()?;
    let tools = tools.iter().map(|tool| definition(tool, format));
    let tools: Value = tools.collect::<anyhow::Result<_>>()?;
    let printed = match format {
        Format::Mcp => json!({ "tools": tools }),
        _ => tools,
    };
    crate::print(&format!("{printed:#}\n"))
}

fn definition(tool: &ToolDefinition, format: Format) -> anyhow::Result<Value> {
    let ToolDefinition {
        name,
        description,
        input_schema,
    } = tool;
    let schema: Value = serde_json::from_str(input_schema)
        .with_context(|| format!("the schema of {name} is no JSON"))?;
    let strict = is_strict(&schema);
    Ok(match format {
        Format::Anthropic => {
            json!({"name": name, "description": description, "input_schema": schema})
        }
        Format::OpenAi => json!({
            "type": "function",
            "function": {"name": name, "description": description, "strict": strict, "parameters": schema},
        }),
        Format::OpenAiResponses => json!({
            "type": "function",
            "name": name,
            "description": description,
            "strict": strict,
            "parameters": schema,
        }),
        Format::Mcp => json!({"name": name, "description": description, "inputSchema": schema}),
    })
}

/// Whether the strict mode takes the schema: it wants every property of an
/// object required, which a tool with optional fields can't have.
fn is_strict(schema: &Value) -> bool {
    let count = |key: &str| match schema.get(key) {
        Some(Value::Object(properties)) => properties.len(),
        Some(Value::Array(required)) => required.len(),
        _ => 0,
    };
    count("properties") == count("required")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_with_an_optional_property_is_not_called_strict() {
        let schema = json!({"properties": {"a": {}, "b": {}}, "required": ["a"]});
        assert!(!is_strict(&schema));
        let schema = json!({"properties": {"a": {}}, "required": ["a"]});
        assert!(is_strict(&schema));
    }
}
