# The rules of the project's text that no general tool knows. Input: the names of all files, one a line. Prints
# FILE:LINE: what is wrong: what would be right. Exits 1 if it printed anything.

function complain(file, line, what) { printf "%s:%d: %s\n", file, line, what; bad = 1 }

function trim(text) { gsub(/^[ \t]+|[ \t]+$/, "", text); return text }

function folder_of(path) { return match(path, /\/[^\/]*$/) ? substr(path, 1, RSTART - 1) : "" }

function read_layers(file,   line, column) {
  while ((getline line < file) > 0) {
    if (line ~ /^#/ || line !~ /\|/) continue
    split(line, column, "|")
    folder = trim(column[1])
    may_know[folder] = " " trim(column[2]) " "
    may_use[folder] = " " trim(column[3]) " "
    must_not[folder] = " " trim(column[4]) " "
  }
  close(file)
}

function layer_of(path,   folder) {
  for (folder = folder_of(path); folder != ""; folder = folder_of(folder)) if (folder in may_know) return folder
  return ""
}

# Third-party family of an angled header: "posix" for the system's, "" for the standard library's.
function family(header) {
  if (header ~ /^[a-z_0-9]+$/) return ""
  if (header ~ /^libpq/) return "libpq"
  if (header ~ /^pg_query/) return "pg_query"
  if (header ~ /^httplib/) return "httplib"
  if (header ~ /^(pqxx|nlohmann|toml\+\+|CLI|fmt|boost|gtest|gmock|rapidcheck|benchmark|openssl)[\/.]/) {
    sub(/[\/.+].*/, "", header)
    return header
  }
  return "posix"
}

function in_list(word, list) { return index(list, " " word " ") > 0 }

function knows(list, folder,   up) {
  if (in_list(folder, list)) return 1
  for (up = folder; up != ""; up = folder_of(up)) if (in_list(up "/*", list)) return 1
  return 0
}

function check_include(file, line, text, test,   layer, target, name) {
  layer = layer_of(file)
  if (layer == "") { complain(file, line, "its folder has no line in .ci/lint/layers: add one"); return }
  if (match(text, /"[^"]+"/)) {
    target = substr(text, RSTART + 1, RLENGTH - 2)
    if (target ~ /^embedded\//) return  # a folder's own .sql files, generated
    if (layer_of(target) == "" && family(target) != "posix") { name = family(target) }
    else {
      if (!knows(may_know[layer], folder_of(target)) && !(test && knows(may_know["tests"], folder_of(target))))
        complain(file, line, layer " must not know " target ": see .ci/lint/layers")
      return
    }
    if (name == "") { complain(file, line, "include the standard header with <>"); return }
  } else if (match(text, /<[^>]+>/)) {
    target = substr(text, RSTART + 1, RLENGTH - 2)
    name = family(target)
  } else return
  if (name == "") {
    if (!test && in_list(target, must_not[layer])) complain(file, line, layer " does without <" target ">: see .ci/lint/layers")
    return
  }
  if (!in_list(name, may_use[layer]) && !(test && in_list(name, may_use["tests"])))
    complain(file, line, layer " must not use " target ": see .ci/lint/layers")
  if (file ~ /\.h$/ && name != "posix") complain(file, line, "third-party header in a header: include it in a .cc file")
}

# SQL in C++ hides from review, from the statement tests and from its lock order. The harness administers databases,
# and tests say what they expect.
function check_sql_in_cc(file, line, text) {
  if (tolower(text) ~ /"[ \t]*(select [^"]* from |insert into |update [a-z_.]+ set |delete from |with [a-z_]+ as |create (table|index|function)|alter table|lock table)/)
    complain(file, line, "SQL text in C++: give it a file core/pg/statements/NAME.sql")
}

function check_statement(file, line, text) {
  sub(/--.*/, "", text)
  text = tolower(text)
  if (text ~ /^create function campaign_clock\(\)/) return
  if (match(text, /current_timestamp|(^|[^a-z_])(now|clock_timestamp|random|gen_random_uuid)[ \t]*\(/))
    complain(file, line, "a statement's time is campaign_clock(), its chance a parameter: " substr(text, RSTART, RLENGTH))
}

BEGIN {
  read_layers(".ci/lint/layers")
  path_elsewhere = "(^|[\"'`= (])/(home|mnt|wor[k]|workspace|Users)/"
  registry = "deb[.]debian[.]org|registry[.]npmj[s]|\"resolved\": *\"http"
}

{ files[++count] = $0; if ($0 ~ /CMakeLists.txt$/) { while ((getline text < $0) > 0) built = built " " text " "; close($0) } }

END {
  gsub(/[()]/, " ", built)
  for (i = 1; i <= count; ++i) {
    file = files[i]
    cc = file ~ /\.(cc|h)$/
    test = file ~ /_(test|prop|bench|fuzz)\.cc$/ || file ~ /\/testing\//
    statement = file ~ /\/statements\/[^\/]*\.sql$/
    own_text = file !~ /^(LICENSE|\.ci\/lint\/)/
    base = file; sub(/.*\//, "", base)
    if (file ~ /\.cc$/ && index(built, base) == 0) complain(file, 1, "no CMakeLists.txt names it, so it is never built: add it or delete it")
    line = 0
    while ((getline text < file) > 0) {
      ++line
      if (cc && text ~ /^[ \t]*#[ \t]*include/) check_include(file, line, text, test)
      if (cc && !test && file !~ /^harness\//) check_sql_in_cc(file, line, text)
      if (cc && !test && file ~ /^core\// && file != "core/http/mail_client.cc" && file != "core/os/process.cc" && text ~ /system_clock|gettimeofday|CLOCK_REALTIME|[^a-z_]time\(nullptr\)/)
        complain(file, line, "a worker's wall clock decides nothing: leases and due times are the database's, waiting is monotonic")
      if (statement) check_statement(file, line, text)
      if (own_text && text ~ path_elsewhere) complain(file, line, "a path of one machine: make it relative")
      if (own_text && text ~ registry) complain(file, line, "names a package registry: clients know theirs")
    }
    close(file)
    if (line > 400 && own_text && file ~ /(\.(cc|h|sql|awk|sh|toml)|^dev)$/) complain(file, line, "over 400 lines: split it by ideas")
  }
  exit bad
}
