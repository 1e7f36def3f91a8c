// A server-side TCP connection, found by its ports: the HTTP library doesn't hand out its sockets,
// and an answer that is never given needs one. A scan of this process's descriptors, some 20 us;
// only for such answers.
#pragma once

namespace fake_mail {

// Requires: called while the connection is being served, so its socket stays open. Returns: -1 when
// it is gone.
int find_connection(int local_port, int remote_port);

// Blocks until the other end has closed, or `stop_fd` becomes readable.
void wait_until_closed(int connection, int stop_fd);

// Both directions end at once; whatever is written afterwards is lost. The descriptor stays open.
void cut(int connection);
void cut_all(int local_port);

}  // namespace fake_mail
