package tokenstoretest

import "testing/synctest"

func init() { inTime = synctest.Test }
