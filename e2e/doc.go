// Package e2e holds the clients against the sandbox: two sides that were written apart
// from the same documentation. Here are trades and payments from the quote to the
// ledger, attacks, and what holds of all clients alike. Package routes calls every
// route, hollow has answers that say too little, chaos pays under faults, and flows is
// what they share.
package e2e
