select current_setting('server_version')
