// Package paid joins package wallet with the simulated cluster of package
// world and judges what comes of it: callers that pay, processes that die,
// and a court that knows what truly executed.
//
//	go test -v -run World ./e2e/world/...
//	go test -v -run World ./e2e/world/paid -world.mode balancer -world.seeds 1-50 -world.keys 40
//
// The first line plays two seeds of each mode, a bad day and a good one. The
// second replays or extends one mode. Each mode has a line, and the last line
// is the sum:
//
//	mode=balancer keys=N executed twice=0 false verdicts=0 unsettled=N told within 90s=N/N no proof=N
//	modes=N keys=N twice=0 false=0
//
// The test fails if a key was paid twice, if a verdict was false, or if in a mode with 200
// or more that could be told less than 99 % were told in time (-world.told N for another
// percentage). The last is not asked of the modes that Unasked names, with the reason.
//
// A run is a function of mode, seed and number of keys, up to the order in
// which goroutines run that wake at the same instant. In odd seeds much is
// lost on its way to the leaders, in even ones nothing.
//
// # Replay
//
// A loss names its mode and seed. -world.story tells all that happened in a
// run: when, who, what was asked, which node answered, what the wallet said,
// and what executed. -world.only 7,12 leaves out all other keys; what is left
// goes as it did, unless they shared a wallet. The first losing run of each mode
// (-world.shrink N for more) is played again with less, while the loss remains:
// fewer keys, fewer faults, and the story of the smallest is printed.
//
// # Many keys
//
// With -world.out FILE each range is added to FILE as a line of JSON. Ranges
// can be played apart, and added up:
//
//	go test -c -o paid.test ./e2e/world/paid
//	./paid.test -test.run '^TestWorld$' -test.timeout 0 -world.seeds 1-10 -world.out 1.json
//	./paid.test -test.run '^TestWorld$' -test.timeout 0 -world.seeds 11-20 -world.out 2.json
//	go run ./e2e/world/sum 1.json 2.json
//
// A range counts once: seeds that two ranges of a mode share are an error. So is a loss, and a mode
// of which less than 99 % were told in time over all ranges (-told N for another percentage).
//
// # Extend
//
// A mode is a line of the table modes: the worlds that its seeds draw from
// (the Modes of package world) and a function that changes the plan, which
// says how often what befalls whom. A new fault is a field of shares, drawn where it
// strikes by hashing what it is drawn for; the shrinker finds it by itself.
// FuzzWorld draws the parameters of any mode from bytes:
//
//	go test -fuzz FuzzWorld ./e2e/world/paid
//
// A new loss is a call of accuse or lose in the court, and a broken wallet in
// TestCourt that shows that it is found.
//
// # Words
//
// The driver uses the wallet as its documentation says and knows nothing of
// how it is made. The words of the lines:
//
//   - executed twice: keys of which transactions of two different builds
//     executed with success on the surviving chain
//   - false verdicts: what a wallet said that was not so, such as "expired" of
//     a transaction that has executed or still could
//   - unsettled: keys whose outcome is unknown when the observation ends
//   - told within 90s: of the transactions that truly expired, while the
//     wallet was asked for them, and whose end can be proven through the
//     wallet's endpoints, those that were told so within 90 seconds after a
//     proof could be had. If it could be had twice, as what a status cache forgets
//     an archive may have later, the first time at which the wallet was asked decides
//   - no proof: those that truly expired and of which the wallet's endpoints
//     can prove nothing, or nothing more by the time at which a process lived
//     that could ask them, or of which they take too few requests: 6 a second of a
//     process, or 12 with a sponsor that signs last; the story says why
package paid
