# SPDX-License-Identifier: MIT
# The summary of prove, then what failed programs said, and last the line CI
# counts: N passed, N failed. Counted are the single tests; a program that
# broke off, exited non-zero without a failed test, or ran none at all counts
# as one failed test.
package Count;

use strict;
use warnings;
use parent 'TAP::Formatter::File';

# Comments of programs that run side by side would mix: keep them.
sub open_test {
    my ( $self, $name, $parser ) = @_;
    my $session = $self->SUPER::open_test( $name, $parser );

    $parser->callback(
        ALL => sub {
            my ($line) = @_;
            push @{ $self->{said}{$name} }, $line->raw
                unless $line->is_test && $line->is_ok;
        }
    );
    return $session;
}

sub summary {
    my ( $self, $aggregate, $interrupted ) = @_;
    my ( $passed, $failed, $skipped ) = ( 0, 0, 0 );

    $self->SUPER::summary( $aggregate, $interrupted );
    for my $name ( $aggregate->descriptions ) {
        my ($program) = $aggregate->parsers($name);
        my $bad = $program->failed + 0;

        $bad++
            if !$bad
            && ( $program->has_problems
            || $program->exit
            || !$program->tests_run );
        $passed  += $program->passed;
        $failed  += $bad;
        $skipped += $program->skipped;
        next if !$bad;
        print "---- $name\n";
        print map {"$_\n"} @{ $self->{said}{$name} // [] };
    }
    $failed++ if $interrupted || $passed + $failed == 0;
    print "$skipped of the passed ones were skipped\n" if $skipped;
    print "$passed passed, $failed failed\n";
    exit 1 if $failed;
}

1;
