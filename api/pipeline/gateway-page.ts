/** The page of a gateway in front of the bank: it knows nothing of the interface. */
export const gatewayPage = `<html>
<head><title>503 Service Temporarily Unavailable</title></head>
<body>
<center><h1>503 Service Temporarily Unavailable</h1></center>
<hr><center>gateway</center>
<!-- Provoked by POST /sandbox/faults. -->
</body>
</html>
`;
