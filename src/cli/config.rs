//! Settings from a file, and all settings in words.
//!
//! What the command line says counts before the environment, that before the file, and that before the default. The file
//! is TOML without tables: a line for each setting, named as on the command line without the dashes before it
//! (`public-url = "https://play.example.org"`). `fieldcommand config` writes such a file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, CommandFactory, FromArgMatches};

use super::settings::Settings;

/// Where the file is looked for if nobody says where.
pub const USUAL: &str = "/etc/fieldcommand/config.toml";
/// The setting that names the file.
const SETTING: &str = "config";
/// How alike two names must be for one to be suggested, of 1.
const ALIKE: f64 = 0.7;

/// Why the file does not do, in one line that names it.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It cannot be read.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    /// It is no TOML.
    #[error("{0}: {1}")]
    Toml(PathBuf, String),
    /// There is no such setting.
    #[error("{0}: there is no setting {1}{2}")]
    Unknown(PathBuf, String, String),
    /// The value is none for that setting.
    #[error("{0}: {1}: {2}")]
    Value(PathBuf, String, String),
}

/// The file that was read, with its values by the names of the settings.
#[derive(Debug, Default)]
pub struct File {
    path: PathBuf,
    values: BTreeMap<String, String>,
}

/// A command line that has been read, with what the file had to add.
#[derive(Debug)]
pub struct Read<T> {
    /// What it asks for.
    pub asked: T,
    /// The settings one by one, for [`explained`].
    pub matches: ArgMatches,
    /// The file.
    pub file: File,
}

/// The settings, as arguments.
fn settings() -> Vec<Arg> {
    let command = Settings::augment_args(Command::new("settings"));
    command.get_arguments().filter(|arg| arg.get_long().is_some()).cloned().collect()
}

/// Reads the command line, the environment and the file. What the command line gets wrong ends the program, as usual.
///
/// # Errors
/// The file does not do.
pub fn read<T: CommandFactory + FromArgMatches>(line: &[OsString]) -> Result<Read<T>, ConfigError> {
    let first = T::command().ignore_errors(true).disable_help_flag(true).disable_version_flag(true);
    let named = first.try_get_matches_from(line).ok();
    let named = named.and_then(|matches| matches.get_one::<String>(SETTING).map(PathBuf::from));
    let file = match named {
        // Without a name no file is read, not the usual one either.
        Some(path) if path.as_os_str().is_empty() => File::default(),
        Some(path) => File::read(&path)?,
        None if Path::new(USUAL).exists() => File::read(Path::new(USUAL))?,
        None => File::default(),
    };
    file.check::<T>()?;
    let mut command = T::command();
    for (name, value) in &file.values {
        command = command.mut_arg(name.replace('-', "_"), |arg| arg.default_value(value.clone()));
    }
    let matches = command.get_matches_from(line);
    match T::from_arg_matches(&matches) {
        Ok(asked) => Ok(Read { asked, matches, file }),
        Err(error) => error.exit(),
    }
}

impl File {
    fn read(path: &Path) -> Result<File, ConfigError> {
        let text = fs::read_to_string(path).map_err(|error| ConfigError::File(path.to_owned(), error))?;
        File::parse(path, &text)
    }

    fn parse(path: &Path, text: &str) -> Result<File, ConfigError> {
        let wrong = |error: toml::de::Error| {
            let line = error.span().map(|span| text.get(..span.start).unwrap_or_default().lines().count().max(1));
            let place = line.map(|line| format!("line {line}: ")).unwrap_or_default();
            ConfigError::Toml(path.to_owned(), format!("{place}{}", error.message()))
        };
        let table: toml::Table = text.parse().map_err(wrong)?;
        let known: Vec<String> = settings().iter().filter_map(|arg| arg.get_long().map(str::to_owned)).collect();
        let mut values = BTreeMap::new();
        for (key, value) in table {
            let name = key.replace('_', "-");
            if name == SETTING || !known.contains(&name) {
                return Err(ConfigError::Unknown(path.to_owned(), key, nearest(&name, &known)));
            }
            let value = match value {
                toml::Value::String(text) => text,
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Boolean(true) => "on".to_owned(),
                toml::Value::Boolean(false) => "off".to_owned(),
                _ => {
                    let problem = "must be a text in quotation marks or a whole number".to_owned();
                    return Err(ConfigError::Value(path.to_owned(), key, problem));
                }
            };
            values.insert(name, value);
        }
        Ok(File { path: path.to_owned(), values })
    }

    /// Tries each value by itself, so that what is wrong is said of the file and not of a command line that has no such
    /// setting.
    fn check<T: CommandFactory>(&self) -> Result<(), ConfigError> {
        for (name, value) in &self.values {
            let alone = T::command().try_get_matches_from(["fieldcommand".to_owned(), format!("--{name}={value}")]);
            let Err(error) = alone else { continue };
            // The environment may be wrong too; that is said later.
            let of = error.get(ContextKind::InvalidArg).map(ToString::to_string).unwrap_or_default();
            let own = of.strip_prefix("--").is_some_and(|of| of.split(' ').next() == Some(name));
            if own && matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
                let said = error.to_string();
                let said = said.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
                return Err(ConfigError::Value(self.path.clone(), name.clone(), said));
            }
        }
        Ok(())
    }
}

/// `; do you mean public-url?` for a name that is nearly right.
fn nearest(name: &str, known: &[String]) -> String {
    let likeness = |other: &&String| strsim::jaro_winkler(name, other);
    let best = known.iter().max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    match best.filter(|best| likeness(best) > ALIKE) {
        Some(best) => format!("; do you mean {best}?"),
        None => String::new(),
    }
}

/// All settings with their values, where these come from, and what they mean, as a file that can be used. Secrets are
/// masked.
#[must_use]
pub fn explained(matches: &ArgMatches, file: &File) -> String {
    let mut text = String::new();
    for arg in settings() {
        let (Some(name), id) = (arg.get_long(), arg.get_id().as_str()) else { continue };
        if name == SETTING {
            continue;
        }
        let value =
            matches.get_raw(id).and_then(|mut values| values.next()).map(|value| value.to_string_lossy().into_owned());
        let source = match matches.value_source(id) {
            Some(ValueSource::CommandLine) => "the command line".to_owned(),
            Some(ValueSource::EnvVariable) => {
                format!("the environment, {}", arg.get_env().map(|env| env.to_string_lossy()).unwrap_or_default())
            }
            Some(_) if file.values.contains_key(name) => format!("{}", file.path.display()),
            Some(_) => "the default".to_owned(),
            None => "nowhere: it is not set".to_owned(),
        };
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        // Writing to a String does not fail.
        let _ = help.lines().try_for_each(|line| writeln!(text, "# {line}"));
        let _ = writeln!(text, "# From {source}.");
        let _ = match value {
            Some(value) if arg.is_hide_env_values_set() => {
                writeln!(text, "# {name} = {}   (its secret is not shown)\n", quoted(&masked(&value)))
            }
            Some(value) => writeln!(text, "{name} = {}\n", quoted(&value)),
            None => writeln!(text, "# {name} =\n"),
        };
    }
    text
}

fn quoted(value: &str) -> toml::Value {
    toml::Value::String(value.to_owned())
}

/// An address without its password; of anything else nothing.
#[must_use]
pub fn masked(value: &str) -> String {
    match url::Url::parse(value) {
        Ok(mut url) if url.has_host() => {
            if url.password().is_some() && url.set_password(Some("***")).is_err() {
                return "***".to_owned();
            }
            // A password may stand behind the question mark too.
            url.set_query(None);
            url.to_string()
        }
        _ => "***".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<File, String> {
        File::parse(Path::new("config.toml"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_has_a_line_for_each_setting() {
        let file = parse("public-url = \"https://play.example.org\"\ntrusted_hops = 1\n# a remark\n").unwrap();
        assert_eq!(file.values["public-url"], "https://play.example.org");
        assert_eq!(file.values["trusted-hops"], "1");
    }

    #[test]
    fn what_is_wrong_with_a_file_is_named() {
        for (text, said) in [
            ("publik-url = \"x\"", "config.toml: there is no setting publik-url; do you mean public-url?"),
            ("qqq = 1", "config.toml: there is no setting qqq"),
            ("config = \"other.toml\"", "there is no setting config"),
            ("data = [1]", "config.toml: data: must be a text"),
            ("[server]\ndata = \"x\"", "there is no setting server"),
            ("data = \"x\"\nlisten = ", "config.toml: line 2: "),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(said), "{error} is not {said}");
        }
    }

    #[test]
    fn secrets_are_masked() {
        assert_eq!(masked("postgres://me:pass@db/name"), "postgres://me:***@db/name");
        assert_eq!(masked("postgres://db/name"), "postgres://db/name");
        assert_eq!(masked("smtp://me:pass@mail.example.org:587?tls=none"), "smtp://me:***@mail.example.org:587");
        assert_eq!(masked("0123456789abcdef"), "***");
    }
}
