// Package bench compares the overhead of a call with net/http and encoding/json
// used by hand, and with other clients of JSON services. It is a module of its
// own, so that walletfi does not depend on those clients:
//
//	cd bench && go test -bench .
package bench
