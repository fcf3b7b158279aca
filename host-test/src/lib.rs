//! Host harness of the component `agent:todo`.
