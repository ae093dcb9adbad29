-- The log. Rows are only ever added, one after the other, so that a commit touches few pages.
create table events (
  position       integer primary key,
  stream_id      integer not null,
  owner_id       integer not null,
  stream         text not null,
  version        integer not null,
  type           text not null,
  schema         integer not null,
  at             integer not null,
  user_id        text,
  correlation_id text not null,
  causation_id   text,
  subject        text,
  data           text not null,
  sealed         blob
) strict;

create table streams (id integer primary key, name text not null unique) strict;
-- Whose an event is: a user's, or under the empty name the system's.
create table owners (id integer primary key, name text not null unique) strict;

-- Where to find a stream's and an owner's events. These follow the log at a distance (indexed.until), many
-- events at a time: kept up with every commit they would cost more than the log itself.
create table stream_events (
  stream_id integer not null,
  version   integer not null,
  position  integer not null,
  primary key (stream_id, version)
) strict, without rowid;
create table owner_events (
  owner_id integer not null,
  position integer not null,
  primary key (owner_id, position)
) strict, without rowid;
create table indexed (until integer not null) strict;
insert into indexed (until) values (0);

-- Commands that may be asked for twice, and what the first time gave.
create table commands (
  id       text primary key,
  position integer not null,
  version  integer not null,
  at       integer not null
) strict, without rowid;
create index commands_by_age on commands (at);

-- One key a subject. A key is overwritten in place before its row goes.
create table subject_keys (
  user_id text not null,
  subject text not null,
  key     blob not null,
  primary key (user_id, subject)
) strict, without rowid;

-- Where each user's newest forget stands, under the empty name anybody's: what was made before it, a snapshot
-- or a new key, comes too late.
create table forgets (user_id text primary key, position integer not null) strict, without rowid;

create table meta (name text primary key, value text not null) strict, without rowid;
create table snapshots (
  owner    text not null,
  name     text not null,
  version  integer not null,
  position integer not null,
  state    blob not null,
  primary key (owner, name)
) strict;
create table cursors (name text primary key, position integer not null, token integer not null) strict;
create table leases (
  name       text primary key,
  holder     text not null,
  fence      integer not null,
  expires_at integer not null
) strict;
