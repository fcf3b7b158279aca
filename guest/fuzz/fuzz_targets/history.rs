#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agent_todo_fuzz::oracles::history(bytes));
