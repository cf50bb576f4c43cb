#!/usr/bin/perl
# A device for Campanile in Perl 5, with nothing but what Debian's package "perl" brings.
#   perl device.pl http://127.0.0.1:8080 SERIAL CODE
# The code is needed once; another code makes the device join anew. What it has to remember is
# kept in SERIAL.json in the current folder, which only its owner can read.
# Environment: KEEPALIVE, in seconds (30); INTERVAL, seconds between two reports of state (20).
use strict;
use warnings;
use Compress::Zlib qw(compress crc32);
use Digest::SHA qw(sha256_hex);
use Encode qw(encode_utf8);
use HTTP::Tiny;
use IO::Handle;
use IO::Select;
use IO::Socket::IP;
use JSON::PP;
use List::Util qw(first min max);
use Time::HiRes qw(time sleep);
use Time::Piece;

my ($server, $sn, $code) = @ARGV;
die "usage: perl device.pl http://server:port SERIAL [CODE]\n" unless $server && $sn && $sn =~ /^[\w.:-]{1,64}$/a;
$server =~ s{/+$}{};
my ($keepalive, $interval) = (int($ENV{KEEPALIVE} // 30), $ENV{INTERVAL} || 20);
my $json = JSON::PP->new->utf8->canonical;
my $http = HTTP::Tiny->new(timeout => 10);
my $stop = 0;
$SIG{TERM} = $SIG{INT} = sub { $stop = 1 };
$SIG{PIPE} = 'IGNORE';
binmode $_, ':utf8' for \*STDOUT, \*STDERR;
STDOUT->autoflush(1);
umask 077;

my @log;    # what is said on the screen is also the device's log
sub note {
    push @log, gmtime->datetime . "Z $_[0]" =~ s/[[:cntrl:]]+/ /gr;
    shift @log if @log > 200;
    print "$log[-1]\n";
}

# ---- What is kept over restarts. It is written beside the old file and then put in its place.
my $keep = { done => {}, outbox => [], items => {}, locked => 0 };
if (open my $in, '<:raw', "$sn.json") { local $/; $keep = $json->decode(<$in>) }

sub save {
    open my $out, '>:raw', "$sn.json.new" or die "cannot write $sn.json.new: $!\n";
    print($out $json->encode($keep)) && $out->flush && $out->sync && close($out) && rename("$sn.json.new", "$sn.json")
        or die "cannot write $sn.json: $!\n";
}

# ---- Joining. The key is on disk before the first question, so that a lost answer can be had again.
sub join_server {
    return if $keep->{password} && (!$code || $code eq $keep->{code});
    die "an activation code is needed to join\n" unless $code;
    if (($keep->{joining}{code} // '') ne $code) {
        open my $random, '<:raw', '/dev/urandom' or die "no random numbers: $!\n";
        read($random, my $bytes, 24) == 24 or die "no random numbers\n";
        $keep->{joining} = { code => $code, key => unpack('H*', $bytes) };
        save();
    }
    my $question = $json->encode({ sn => $sn, code => $code, key => $keep->{joining}{key} });
    for (my $pause = 1 ; !$stop ; $pause = min(60, $pause * 2)) {
        my $answer = $http->post("$server/device/v1/activate", { content => $question, headers => { 'content-type' => 'application/json' } });
        my $said = eval { $json->decode($answer->{content}) } || {};
        if (($said->{code} // 0) == 100000) {
            @$keep{qw(password mqttUrl code)} = (@{ $said->{data} }{qw(password mqttUrl)}, $code);
            delete $keep->{joining};
            save();
            return note("joined, MQTT is at $keep->{mqttUrl}");
        }
        # No answer (HTTP::Tiny calls that 599) and a server in trouble pass by themselves, a refusal does not.
        die "not joined: $said->{message} ($said->{code})\n" if $said->{code} && $answer->{status} < 500;
        note("no answer to joining ($answer->{status}), asking again");
        sleep $pause * (0.5 + rand);
    }
}

# ---- Clocks. `ts` is by our own, `expires` by the server's; the difference is looked at before every connect.
my $ahead = 0;
sub compare_clocks {
    my $date = $http->get("$server/healthz")->{headers}{date} or return;
    my $difference = Time::Piece->strptime($date, '%a, %d %b %Y %H:%M:%S GMT')->epoch - time;
    $ahead = abs($difference) > 2 ? $difference : 0;    # the header knows whole seconds only
}
sub now_ms    { return int(time() * 1000) }
sub server_ms { return int((time() + $ahead) * 1000) }

# ---- MQTT 3.1.1: packets out and in.
my ($socket, $buffer, $last_sent);
sub text { return pack 'n/a*', $_[0] }    # bytes with their length before them

sub write_packet {
    my ($first, $body) = @_;
    my ($length, $size) = ('', length $body);
    do { $length .= chr($size % 128 | ($size > 127 ? 128 : 0)); $size >>= 7 } while $size;
    my $packet = chr($first) . $length . $body;
    while (length $packet) {
        IO::Select->new($socket)->can_write(10) or $!{EINTR} or die "the server takes nothing\n";
        my $n = syswrite $socket, $packet;
        die "cut off: $!\n" unless defined $n || $!{EINTR} || $!{EAGAIN};
        substr $packet, 0, $n // 0, '';
    }
    $last_sent = time;
}

# Waits up to so many seconds. Returns the first byte and the body, or nothing when no whole packet came.
sub read_packet {
    my $until = time + $_[0];
    while (1) {
        if ($buffer =~ /^(.)([\x80-\xff]{0,3}[\x00-\x7f])/s) {
            my ($first, $digits, $size) = (ord $1, $2, 0);
            $size = $size * 128 + (ord($_) & 127) for reverse split //, $digits;
            my $head = 1 + length $digits;
            return ($first, substr substr($buffer, 0, $head + $size, ''), $head) if length $buffer >= $head + $size;
        }
        IO::Select->new($socket)->can_read(max(0, $until - time)) or return;
        my $n = sysread $socket, $buffer, 65536, length $buffer;
        die "the server closed the connection\n" if defined $n && !$n;
        die "cut off: $!\n" unless defined $n || $!{EINTR} || $!{EAGAIN};
    }
}

# ---- Messages up: each stays in the outbox until it is acknowledged; at most 50 are on their way at once.
my $last_pid = 0;
sub queue {
    my ($kind, $body) = @_;
    my $outbox = $keep->{outbox};
    push @$outbox, { kind => $kind, body => $body };
    my $over = @$outbox - 500;    # alone for long, it forgets its oldest states, never events and answers
    @$outbox = grep { $_->{kind} ne 'state' || $_->{pid} || $over-- <= 0 } @$outbox if $over > 0;
}

sub flush {
    my %used = map { $_->{pid} ? ($_->{pid} => 1) : () } @{ $keep->{outbox} };
    for my $message (grep { !$_->{pid} } @{ $keep->{outbox} }) {
        last if keys %used >= 50;
        do { $last_pid = $last_pid % 65535 + 1 } while $used{$last_pid};
        $used{ $message->{pid} = $last_pid } = 1;
        write_packet(0x32, text("v1/$sn/up/$message->{kind}") . pack('n', $last_pid) . $json->encode($message->{body}));
    }
}

sub acknowledged {
    my $pid = unpack 'n', $_[0];
    my $message = first { ($_->{pid} // 0) == $pid } @{ $keep->{outbox} } or return;
    @{ $keep->{outbox} } = grep { $_ != $message } @{ $keep->{outbox} };
    save() if $message->{kind} =~ /event|reply/;
}

# ---- What the device tells about itself.
my %can;    # the commands, below
sub slurp { open my $in, '<', $_[0] or return ''; local $/; return <$in> // '' }

sub hello {
    return { ts => now_ms(), model => 'example', agent => 'device.pl', firmware => '1.0', keepalive => $keepalive, capabilities => [sort keys %can],
        addresses => [$socket->sockhost], slurp('/proc/version') =~ /^(\S+ version \S+)/ ? (system => $1) : () };
}

sub state {
    my %state = (ts => now_ms(), locked => $keep->{locked} ? JSON::PP::true : JSON::PP::false);
    $state{uptime} = int $1 if slurp('/proc/uptime') =~ /^(\d+)/;
    my %kb = slurp('/proc/meminfo') =~ /^(\w+):\s+(\d+)/mg;
    $state{memory} = int(100 - 100 * $kb{MemAvailable} / $kb{MemTotal}) if $kb{MemTotal} && $kb{MemAvailable};
    return \%state;
}

# ---- Commands. Each returns its result or dies with the reason why not. They only queue messages:
# ---- a line that breaks is not a command that failed. A large file would need a process of its own,
# ---- because nobody sends PINGREQ during an upload.
sub upload {
    my ($command, $name, $type, $bytes) = @_;
    my $to  = $command->{upload} or die "no address for the file came with the command\n";
    my $url = $to->{url} =~ m{^/} ? $server . $to->{url} : $to->{url};
    my $said;
    for my $pause (1, 2, 0) {    # what broke off is sent again: the same bytes are confirmed again
        my $answer = $http->request('PUT', $url, { content => $bytes, headers => { 'Content-Type' => $type,
            'Content-Disposition' => qq(attachment; filename="$name"), 'X-Upload-Token' => $to->{token} } });
        $said = eval { $json->decode($answer->{content}) } || { message => $answer->{reason} };
        last if $answer->{status} != 599;
        sleep $pause;
    }
    die "the upload was refused: $said->{message}\n" unless ($said->{code} // 0) == 100000;
    return { name => $name, contentType => $type, bytes => length $bytes, sha256 => sha256_hex($bytes) };
}

# Its "screen" is 32 by 32 of one colour: red while the device is locked, else green.
sub picture {
    my $row   = "\0" . ($keep->{locked} ? "\xc0\x20\x20" : "\x20\xa0\x40") x 32;
    my $chunk = sub { pack('N', length $_[1]) . "$_[0]$_[1]" . pack('N', crc32("$_[0]$_[1]")) };
    return "\x89PNG\r\n\x1a\n" . $chunk->('IHDR', pack('NNC5', 32, 32, 8, 2, 0, 0, 0)) . $chunk->('IDAT', compress($row x 32)) . $chunk->('IEND', '');
}

# As many packages as go into one message: at most 500, and well under 64 KiB.
sub software {
    open my $in, '-|', 'dpkg-query', '-W', '-f', '${Package}\t${Version}\n' or die "there is no dpkg here\n";
    my ($total, $size, @apps) = (0, 0);
    while (<$in>) {
        my ($package, $version) = /^(.{1,128})\t(.{0,128})/ or next;
        my $app = { package => $package, version => $version };
        $total++;
        push @apps, $app if @apps < 500 && ($size += 1 + length $json->encode($app)) < 60_000;
    }
    close $in or die "dpkg-query failed\n";
    return { total => $total, apps => \@apps };
}

%can = (
    message      => sub { note("MESSAGE: $_[0]{args}{title}: $_[0]{args}{text}"); return {} },
    report       => sub { queue('hello', hello()); queue('state', state()); return {} },
    lock         => sub { $keep->{locked} = 1; queue('state', state()); return {} },
    unlock       => sub { $keep->{locked} = 0; queue('state', state()); return {} },
    configure    => sub { @$keep{qw(version items)} = @{ $_[0]{args} }{qw(version items)}; return {} },
    listSoftware => \&software,
    screenshot   => sub { return upload($_[0], 'screen.png', 'image/png', picture()) },
    uploadLog    => sub {
        die "this device keeps only its own log (type log)\n" if $_[0]{args}{type} ne 'log';
        return upload($_[0], "$sn.log", 'text/plain', encode_utf8(join "\n", @log, ''));
    },
);

sub obey {
    my ($command) = @_;
    my ($id, $name, $done) = (@$command{qw(id name)}, $keep->{done});
    delete @$done{ grep { $done->{$_}{expires} + 3_600_000 < server_ms() } keys %$done };
    if ($done->{$id}) {
        note("command $name ($id) came again and is answered again");
        return queue('reply', $done->{$id}{reply});
    }
    # This is on disk before the work begins: a device that dies in the middle says so and does not do it twice.
    my $reply = { id => $id, state => 'failed', error => 'the device stopped in the middle of it' };
    $done->{$id} = { expires => $command->{expires}, reply => $reply };
    save();
    my $result = eval {
        die "it came after it had expired\n" if $command->{expires} <= server_ms();
        die "this device cannot do that\n" unless $can{$name};
        $can{$name}->($command);
    };
    if ($result) { delete $reply->{error}; @$reply{qw(state result)} = ('done', $result) }
    else         { chomp($reply->{error} = substr $@, 0, 256) }
    queue('reply', $reply);
    save();
    note("command $name ($id): $reply->{state} " . ($reply->{error} // ''));
}

# ---- One connection, from CONNECT to its end.
sub session {
    my ($host, $port) = $keep->{mqttUrl} =~ m{^mqtt://(?|\[(.+?)\]|([^:/]+))(?::(\d+))?/?$}
        or die "this example speaks plain MQTT only, not $keep->{mqttUrl}\n";
    compare_clocks();
    $socket = IO::Socket::IP->new(PeerHost => $host, PeerPort => $port || 1883, Timeout => 10) or die "no connection: $@\n";
    $socket->blocking(0);
    $buffer = '';
    # 0xCE means: user name, password, a will with QoS 1, clean session.
    write_packet(0x10, text('MQTT') . pack('CCn', 4, 0xCE, $keepalive) . text($sn) . text("v1/$sn/up/bye")
        . text('{"reason":"connection lost"}') . text($sn) . text($keep->{password}));
    my ($type, $body) = read_packet(15);
    die "no answer to CONNECT\n" unless $type && $type == 0x20;
    die "refused with code " . ord(substr $body, 1) . "\n" if ord substr $body, 1;
    write_packet(0x82, pack('n', 65535) . text("v1/$sn/down/command") . "\x01");
    # A new hello goes first, then all that was not acknowledged; an old hello or goodbye says nothing any more.
    my @again = grep { $_->{kind} !~ /hello|bye/ } @{ $keep->{outbox} };
    delete $_->{pid} for @again;
    $keep->{outbox} = [{ kind => 'hello', body => hello() }, @again];
    note("connected, " . @again . " messages were waiting");
    my ($next_state, $pinged) = (0, 0);
    until ($stop) {
        if (time >= $next_state) { queue('state', state()); $next_state = time + $interval }
        flush();
        if ($keepalive && time - $last_sent >= $keepalive / 2) { write_packet(0xC0, ''); $pinged ||= time }
        die "the server is silent\n" if $pinged && time - $pinged > $keepalive + 10;
        ($type, $body) = read_packet(max(0, min($next_state, $keepalive ? $last_sent + $keepalive / 2 : ()) - time)) or next;
        $pinged = 0;
        if    ($type >> 4 == 4)                    { acknowledged($body) }
        elsif ($type >> 4 == 9 && $body =~ /\x80$/) { die "the subscription was refused\n" }
        elsif ($type >> 4 == 3) {
            my ($topic, $rest) = unpack 'n/a* a*', $body;
            my $pid = $type & 6 ? substr $rest, 0, 2, '' : '';
            my $command = eval { $json->decode($rest) };
            obey($command) if ref $command eq 'HASH' && $command->{id};
            write_packet(0x40, $pid) if $pid;    # now it is on disk
        }
    }
    # Told to stop: say why, give the server three seconds to take everything, and go.
    queue('bye', { reason => 'stopped by its owner' });
    flush();
    for (my $until = time + 3 ; time < $until && @{ $keep->{outbox} } ;) {
        ($type, $body) = read_packet(max(0, $until - time)) or next;
        acknowledged($body) if $type >> 4 == 4;
    }
    write_packet(0xE0, '');
    note("said goodbye");
}

join_server();
exit if $stop;
queue('event', { id => sprintf('%x-%x', now_ms(), $$), ts => now_ms(), type => 'started', text => 'device.pl was started' });
save();
for (my $pause = 1 ; !$stop ;) {
    my $began = time;
    eval { session(); 1 } or note("offline: $@");
    $pause = 1 if time - $began > 30;    # that was a good connection
    last if $stop;
    sleep $pause * (0.5 + rand);
    $pause = min(60, $pause * 2);
}
save();
