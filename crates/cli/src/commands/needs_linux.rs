//! Commands that work only on Linux. In a program for another system, each is an error.

use crate::Done;
use crate::error::{Result, UserError};

fn refused(command: &str) -> Result<Done> {
    Err(UserError::new(format!("`forebay {command}` needs Linux; this program was built for {}", std::env::consts::OS)))
}

macro_rules! refuse {
    ($file:ident: $($function:ident($args:ident) $command:literal)*) => {
        pub(crate) mod $file {
            $(pub(crate) fn $function(_: &crate::args::$args) -> crate::error::Result<crate::Done> {
                super::refused($command)
            })*
        }
    };
}

refuse!(ctl: run(CtlArgs) "ctl");
refuse!(deploy: deploy(DeployArgs) "deploy" set(SetArgs) "set" stats(StatsArgs) "stats" undeploy(UndeployArgs) "undeploy");
refuse!(switch: run(SwitchArgs) "switch");
